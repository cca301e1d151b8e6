#!/usr/bin/env python3
"""Checks the arrows of the house from the import lines: which module may import which, and that nothing on Linux
loads Foundation. Prints each violation and exits 1 when there is one."""

import pathlib
import re
import sys

ESSENTIALS = {"FoundationEssentials", "Foundation"}
SYSTEM = {"Glibc", "Musl", "Darwin", "Synchronization"}
# What each module may import, as the manifest and the design draw it. Foundation is checked apart.
ALLOWED = {
    "CSystem": set(),
    "JSONCoding": ESSENTIALS | SYSTEM,
    "DiskCache": ESSENTIALS | SYSTEM,
    "APICore": ESSENTIALS | SYSTEM | {"JSONCoding", "DiskCache", "CSystem", "Combine", "Network", "Dispatch"},
    "CurlTransport": ESSENTIALS | SYSTEM | {"APICore", "CCurl", "CSystem"},
    "URLSessionTransport": {"Foundation", "FoundationNetworking", "Synchronization", "APICore"},
    "APILayer": ESSENTIALS | {"APICore", "JSONCoding", "CurlTransport", "URLSessionTransport"},
    "APITesting": ESSENTIALS | SYSTEM | {"APICore", "CSystem"},
    "ImagePipeline": ESSENTIALS | SYSTEM | {"APICore", "DiskCache", "CImageCodecs", "Dispatch"},
    "TerminalProgress": ESSENTIALS | SYSTEM | {"APICore", "CSystem"},
    "CCurl": set(),
    "CImageCodecs": set(),
}
# Executables stand on the roof: they may import any module of the package.
EXECUTABLES = {"quickstart", "thumbnail", "bench"}
OWN = set(ALLOWED) | {"CBenchBaseline"}

IMPORT = re.compile(
    r"^\s*(?:@[\w()]+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)


def imports(path):
    """The modules a file imports, with line numbers, and whether each stands where Foundation is allowed."""
    lines = path.read_text().splitlines()
    branch = []  # For each open #if: is this the branch without FoundationEssentials?
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("#if"):
            branch.append("essentials" if "canImport(FoundationEssentials)" in text else "other")
        elif text.startswith(("#else", "#elseif")) and branch:
            if branch[-1] == "essentials":
                branch[-1] = "without essentials"
        elif text.startswith("#endif") and branch:
            branch.pop()
        match = IMPORT.match(line)
        if match:
            yield number, match.group(1), "without essentials" in branch


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    problems = []
    for folder in sorted((root / "Sources").iterdir()):
        module = folder.name
        allowed = ALLOWED.get(module)
        for path in sorted(folder.rglob("*.swift")):
            for number, name, without_essentials in imports(path):
                where = f"{path.relative_to(root)}:{number}"
                if module in EXECUTABLES:
                    ok = name in ESSENTIALS | SYSTEM | OWN
                elif allowed is None:
                    ok = name in ESSENTIALS | SYSTEM
                else:
                    ok = name in allowed
                if not ok:
                    problems.append(f"{where}: {module} may not import {name}")
                elif name == "Foundation" and module != "URLSessionTransport" and not without_essentials:
                    problems.append(f"{where}: Foundation may only stand in the #else of canImport(FoundationEssentials)")
    for problem in problems:
        print(problem)
    print(f"imports: {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
