import CImageCodecs

extension Bitmap {
    /// Without alpha, laid on an opaque colour.
    ///
    /// In linear light this is exactly what resizing the flattened original would have given; in gamma space it is what
    /// browsers do.
    func flattened(on background: RGBAColor, light: LightSpace) -> Bitmap {
        guard format == .rgba else { return self }
        let base = [background.red, background.green, background.blue]
        let table = KernelTables.encodeSRGB
        let linear = ToneCurve.sRGB.values
        let flat = [UInt8](unsafeUninitializedCapacity: size.pixelCount * 3) { target, count in
            var next = 0
            for start in stride(from: 0, to: bytes.count, by: 4) {
                let alpha = bytes[start + 3]
                for channel in 0..<3 {
                    let value = bytes[start + channel]
                    switch (alpha, light) {
                    case (255, _): target[next] = value
                    case (0, _): target[next] = base[channel]
                    case (_, .gamma):
                        let sum = Int(value) * Int(alpha) + Int(base[channel]) * (255 - Int(alpha))
                        target[next] = UInt8((sum + 127) / 255)
                    case (_, .linear):
                        let part = Float(alpha) / 255
                        let sum = linear[Int(value)] * part + linear[Int(base[channel])] * (1 - part)
                        target[next] = table[Int(min(max(sum, 0), 1) * 65535 + 0.5)]
                    }
                    next += 1
                }
            }
            count = next
        }
        return Bitmap(unchecked: size, format: .rgb, bytes: flat)
    }
}
