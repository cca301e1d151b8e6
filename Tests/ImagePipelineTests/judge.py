#!/usr/bin/env python3
"""Judges thumbnails by Pillow and libvips: pixels, quality, speed and memory side by side on generated images.

    judge.py THUMBNAIL [--bench BENCH] [--iterations N]

THUMBNAIL and BENCH are the built `thumbnail` and `bench` programs. Needs Pillow and numpy, and `vipsthumbnail` for
the comparisons with it. Exits with 0 when every check holds, 1 when one does not, and 77 ("skipped") when Pillow or
numpy is missing and APILAYER_REQUIRE_JUDGES is not 1. Figures of speed are printed, never judged.
"""
import argparse, json, os, resource, shutil, statistics, subprocess, sys, tempfile, time

REQUIRED = os.environ.get("APILAYER_REQUIRE_JUDGES") == "1"
try:
    import numpy as np
    from PIL import Image, ImageDraw, ImageFilter
except ImportError as missing:
    print(f"judge: skipped, {missing}")
    sys.exit(1 if REQUIRED else 77)

Image.MAX_IMAGE_PIXELS = None
failures = []


def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name} {detail}")
    if not holds:
        failures.append(name)


def linear(v):
    v = v / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def encoded(v):
    v = np.clip(v, 0, 1)
    return 255 * np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)


def weights(source, target):
    step = source / target
    scale = max(1, step)
    x = ((np.arange(source) + 0.5)[None, :] - (np.arange(target) + 0.5)[:, None] * step) / scale
    w = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
    return w / w.sum(axis=1, keepdims=True)


def reference(image, size):
    """Lanczos3 in linear light and double precision."""
    light = linear(np.asarray(image.convert("RGB"), dtype=np.float64))
    rows = np.tensordot(weights(light.shape[0], size[1]), light, axes=(1, 0))
    return encoded(np.einsum("xw,hwc->hxc", weights(light.shape[1], size[0]), rows))


def psnr(a, b):
    return 10 * np.log10(255**2 / np.mean((np.asarray(a, dtype=np.float64) - b) ** 2))


def photo(width, height, seed=1):
    """Noise with the spectrum of a photograph, and sharp shapes on it."""
    random = np.random.default_rng(seed)
    fy, fx = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None, :]
    f = np.sqrt(fy * fy + fx * fx)
    f[0, 0] = 1

    def noise(power):
        n = np.fft.irfft2(np.fft.rfft2(random.standard_normal((height, width))) / f**power, s=(height, width))
        return n / n.std()

    base = noise(1.25)
    pixels = np.stack([120 + 45 * base + 18 * noise(1.6) for _ in range(3)], axis=-1)
    image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for i in range(120):
        x, y, r = random.integers(0, width), random.integers(0, height), random.integers(10, 160)
        color = tuple(int(v) for v in random.integers(0, 256, 3))
        shape = draw.ellipse if i % 2 else draw.rectangle
        shape([x, y, x + r, y + r * 2 // 3], outline=color, width=int(random.integers(1, 9)), fill=color if i % 5 == 0 else None)
    return image.filter(ImageFilter.GaussianBlur(1.1))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("thumbnail")
    arguments.add_argument("--bench")
    arguments.add_argument("--iterations", type=int, default=15)
    options = arguments.parse_args()
    vips = shutil.which("vipsthumbnail")
    if not vips and REQUIRED:
        print("judge: vipsthumbnail is missing")
        return 1
    os.environ["VIPS_CONCURRENCY"] = "1"
    folder = tempfile.mkdtemp()

    def path(name):
        return os.path.join(folder, name)

    def run(source, output, *extra):
        subprocess.run([options.thumbnail, *extra, "--output", output, source], check=True, stdout=subprocess.DEVNULL)
        return Image.open(output)

    # Lossless path: PNG in, PNG out, against the reference and Pillow's decoder.
    checker = Image.fromarray(((np.indices((256, 256)).sum(0) & 1) * 255).astype(np.uint8)).convert("RGB")
    y, x = np.mgrid[0:400, 0:500]
    zone = Image.fromarray((127.5 + 127.5 * np.cos((x * x + y * y) / 300)).astype(np.uint8)).convert("RGB")
    ramp = Image.fromarray((x // 2).astype(np.uint8)).convert("RGB")
    border = Image.new("RGB", (363, 243), "white")
    ImageDraw.Draw(border).rectangle([0, 0, 362, 242], outline=(255, 0, 0))
    for name, image, size in [
        ("checker", checker, (32, 32)), ("zone plate", zone, (125, 100)), ("ramp", ramp, (100, 80)),
        ("red border", border, (90, 60)), ("photo", photo(900, 700), (200, 156)),
    ]:
        image.save(path("in.png"))
        result = run(path("in.png"), path("out.png"), "--size", f"{size[0]}x{size[1]}", "--mode", "stretch", "--format", "png")
        worst = np.abs(np.asarray(result.convert("RGB"), dtype=np.float64) - reference(image, size)).max()
        check(f"{name}: within 1.0 of the float reference", worst < 1.0, f"({worst:.2f})")
        if name == "checker":
            check("checker is 188", abs(int(result.convert("RGB").getpixel((16, 16))[0]) - 188) <= 1)

    # Transparency: a disc, premultiplied.
    disc = Image.new("RGBA", (400, 400), (0, 255, 0, 0))
    ImageDraw.Draw(disc).ellipse([50, 50, 350, 350], fill=(255, 0, 0, 255))
    disc.save(path("disc.png"))
    result = np.asarray(run(path("disc.png"), path("disc.out.png"), "--size", "90x90", "--gamma").convert("RGBA"), dtype=int)
    # Not against Pillow, whose first pass clips to bytes what the second would have made up for.
    opaque = np.asarray(disc, dtype=np.float64)[..., 3]
    exact = np.clip(weights(400, 90) @ opaque @ weights(400, 90).T, 0, 255)
    worst = np.abs(result[..., 3] - exact).max()
    check("disc: alpha within 0.6 of the float reference", worst < 0.6, f"({worst:.2f})")
    check("disc: no green fringe", result[..., 1][result[..., 3] > 0].max() <= 2)

    # Every kind of PNG and JPEG that Pillow writes, CMYK among them.
    small = photo(320, 240, seed=2)
    for mode in ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"]:
        image = small.convert("L").point(lambda v: v * 257, "I").convert("I;16") if mode == "I;16" else small.convert(mode)
        image.save(path("mode.png"))
        wanted = Image.open(path("mode.png"))
        wanted = small.convert("L").convert("RGB") if mode == "I;16" else wanted.convert("RGB")
        got = run(path("mode.png"), path("mode.out.png"), "--size", "320x240", "--format", "png").convert("RGB")
        check(f"PNG {mode}: identical to Pillow", np.abs(np.asarray(got, dtype=int) - np.asarray(wanted, dtype=int)).max() <= 0)
    for mode, extra in [("L", {}), ("RGB", {"subsampling": 0}), ("RGB", {"subsampling": 1}), ("RGB", {"progressive": True}),
                        ("CMYK", {}), ("RGB", {"restart_marker_rows": 1})]:
        small.convert(mode).save(path("mode.jpg"), quality=90, **extra)
        wanted = np.asarray(Image.open(path("mode.jpg")).convert("RGB"), dtype=int)
        got = np.asarray(run(path("mode.jpg"), path("mode.out.png"), "--size", "320x240", "--format", "png").convert("RGB"), dtype=int)
        tolerance = 2 if mode == "CMYK" else 0
        check(f"JPEG {mode} {extra}: within {tolerance} of Pillow", np.abs(got - wanted).max() <= tolerance, f"({np.abs(got - wanted).max()})")
    for tag in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = tag
        small.crop((0, 0, 320, 160)).save(path("tag.jpg"), exif=exif, quality=95)
        from PIL import ImageOps
        wanted = np.asarray(ImageOps.exif_transpose(Image.open(path("tag.jpg"))), dtype=int)
        got = np.asarray(run(path("tag.jpg"), path("tag.png"), "--size", "320x320", "--format", "png").convert("RGB"), dtype=int)
        check(f"orientation {tag}: identical to Pillow", got.shape == wanted.shape and np.abs(got - wanted).max() == 0)

    # Quality of the whole way, JPEG to JPEG at 80, against the reference of the decoded source.
    image = photo(2725, 2225)
    image.save(path("photo.jpg"), quality=85)
    exact = reference(Image.open(path("photo.jpg")), (720, 588))
    ours = psnr(run(path("photo.jpg"), path("ours.jpg"), "--size", "720x588"), exact)
    fast = psnr(run(path("photo.jpg"), path("fast.jpg"), "--size", "720x588", "--fast"), exact)
    print(f"     PSNR to the linear reference: ours {ours:.2f} dB, --fast {fast:.2f} dB")
    if vips:
        for name, extra in [("default", []), ("--linear", ["--linear"])]:
            subprocess.run([vips, path("photo.jpg"), "--size", "720x588", *extra, "-o", path("vips.jpg[Q=80]")], check=True)
            other = psnr(Image.open(path("vips.jpg")), exact)
            check(f"better than libvips {name}", ours > other, f"({ours:.2f} to {other:.2f} dB)")

    if options.bench:
        speed(options, vips, path, image)
    memory(options, path)
    shutil.rmtree(folder)
    return 1 if failures else 0


def speed(options, vips, path, image):
    """Medians of interleaved rounds of user CPU time, so that other work on the machine weighs less."""
    alpha = photo(2048, 1536, seed=3)
    mask = Image.new("L", alpha.size, 0)
    ImageDraw.Draw(mask).ellipse([100, 80, 1948, 1456], fill=255)
    alpha.putalpha(mask.filter(ImageFilter.GaussianBlur(6)))
    alpha.save(path("alpha.png"))

    def user_milliseconds(command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)

    pillow = "import io,sys;from PIL import Image;d=open(sys.argv[1],'rb').read()\nfor i in range(int(sys.argv[4])):\n" \
             " im=Image.open(io.BytesIO(d));im=im.resize((int(sys.argv[2]),int(sys.argv[3])),Image.LANCZOS);b=io.BytesIO();" \
             "im.save(b,sys.argv[5],quality=80)"

    def ours(file, size, *extra):
        return lambda n: [options.bench, "thumbnail", path(file), "--size", size, "--iterations", str(n), *extra]

    def theirs(file, width, height, format):
        return lambda n: [sys.executable, "-c", pillow, path(file), str(width), str(height), str(n), format]

    def libvips(*extra):
        return lambda n: [vips, *[path("photo.jpg")] * n, "--size", "720x588", *extra, "-o", path("speed.jpg[Q=80]")]

    work = {
        "ours JPEG": ours("photo.jpg", "720x588"), "ours JPEG --fast": ours("photo.jpg", "720x588", "--fast"),
        "Pillow JPEG": theirs("photo.jpg", 720, 588, "JPEG"), "ours PNG": ours("alpha.png", "720x540", "--format", "png"),
        "Pillow PNG": theirs("alpha.png", 720, 540, "PNG"),
    }
    if vips:
        work["libvips JPEG"] = libvips()
        work["libvips JPEG --linear"] = libvips("--linear")
    times = {name: [] for name in work}
    for _ in range(5):
        for name, command in work.items():
            # The difference of two runs leaves out starting up.
            few, many = 2, 2 + options.iterations
            times[name].append((user_milliseconds(command(many)) - user_milliseconds(command(few))) / options.iterations)
    for name in work:
        print(f"     {name}: {statistics.median(times[name]):.1f} ms of CPU an image")


def memory(options, path):
    """A 100-megapixel baseline JPEG to 400 pixels, in a process of its own."""
    photo(1000, 1000, seed=4).resize((10000, 10000)).save(path("big.jpg"), quality=80)
    code = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);" \
           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = [sys.executable, "-c", code, options.thumbnail, "--size", "400", "--output", path("big.out.jpg"), path("big.jpg")]
    peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024
    check("100 megapixels: peak memory under 64 MB", peak < 64, f"({peak:.0f} MB, of which the file {os.path.getsize(path('big.jpg')) / 2**20:.0f})")


sys.exit(main())
