#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An ICC profile (ICC.1), as far as it can be read: what it describes, and for the simple kinds how.
struct ICCProfile: Equatable {
    enum Space: Equatable {
        case gray
        case rgb
        case cmyk
        case other
    }

    enum Model: Equatable {
        /// Three tone curves and the primaries: what cameras, phones and screens use.
        case matrix([ToneCurve], ColorMatrix)
        case gray(ToneCurve)
        /// Look-up tables or anything else: can be carried along, not evaluated.
        case opaque
    }

    let bytes: [UInt8]
    let space: Space
    let model: Model

    /// Nil for bytes that are not a profile at all.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 132 else { return nil }
        let parsed: (Space, Model)? = bytes.withUnsafeBytes { buffer in
            guard buffer[36..<40].elementsEqual("acsp".utf8) else { return nil }
            let space: Space =
                switch String(decoding: buffer[16..<20], as: UTF8.self) {
                case "GRAY": .gray
                case "RGB ": .rgb
                case "CMYK": .cmyk
                default: .other
                }
            let tags = Tags(buffer)
            // With tables present they take precedence over the matrix, and PCS Lab has no matrix form.
            guard buffer[20..<24].elementsEqual("XYZ ".utf8), !tags.has("A2B0") else {
                if space == .gray, let curve = tags.curve("kTRC") { return (space, .gray(curve)) }
                return (space, .opaque)
            }
            return (space, tags.model(for: space))
        }
        guard let parsed else { return nil }
        self.bytes = bytes
        (space, model) = parsed
    }

    /// Whether pixels of this profile may be taken for sRGB.
    var isSRGB: Bool {
        switch model {
        case .matrix(let curves, let toPCS):
            curves.allSatisfy(\.isNearlySRGB) && toPCS.isClose(to: .sRGBToPCS, within: 0.003)
        case .gray(let curve): curve.isNearlySRGB
        case .opaque: false
        }
    }
}

extension ICCProfile {
    /// The tag table and the types of it that a matrix profile needs.
    private struct Tags {
        let bytes: UnsafeRawBufferPointer
        var ranges: [String: Range<Int>] = [:]

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
            var cursor = ByteCursor(bytes, at: 128)
            guard let count = cursor.uint32(), count <= 200 else { return }
            for _ in 0..<count {
                guard let name = cursor.slice(4), let offset = cursor.uint32(), let size = cursor.uint32() else {
                    return
                }
                guard offset <= bytes.count, size <= bytes.count - offset else { continue }
                ranges[String(decoding: name, as: UTF8.self)] = offset..<(offset + size)
            }
        }

        func has(_ name: String) -> Bool { ranges[name] != nil }

        func model(for space: Space) -> Model {
            switch space {
            case .gray:
                return curve("kTRC").map(Model.gray) ?? .opaque
            case .rgb:
                guard let red = xyz("rXYZ"), let green = xyz("gXYZ"), let blue = xyz("bXYZ"),
                    let redCurve = curve("rTRC"), let greenCurve = curve("gTRC"), let blueCurve = curve("bTRC")
                else { return .opaque }
                let toPCS = ColorMatrix(
                    [red.x, green.x, blue.x], [red.y, green.y, blue.y], [red.z, green.z, blue.z])
                return .matrix([redCurve, greenCurve, blueCurve], toPCS)
            case .cmyk, .other:
                return .opaque
            }
        }

        private func content(_ name: String, type: String) -> ByteCursor? {
            guard let range = ranges[name] else { return nil }
            var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: bytes[range]))
            guard let found = cursor.slice(4), found.elementsEqual(type.utf8), cursor.uint32() != nil else {
                return nil
            }
            return cursor
        }

        /// A signed number of 16 bits before and after the point.
        private func fixed(_ cursor: inout ByteCursor) -> Double? {
            cursor.uint32().map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        }

        private func xyz(_ name: String) -> SIMD3<Double>? {
            guard var cursor = content(name, type: "XYZ "), let x = fixed(&cursor), let y = fixed(&cursor),
                let z = fixed(&cursor)
            else { return nil }
            return [x, y, z]
        }

        func curve(_ name: String) -> ToneCurve? {
            if var cursor = content(name, type: "curv") { return table(&cursor) }
            if var cursor = content(name, type: "para") { return parametric(&cursor) }
            return nil
        }

        /// A `curv`: nothing for the identity, one number for a gamma, else a table to interpolate in.
        private func table(_ cursor: inout ByteCursor) -> ToneCurve? {
            guard let count = cursor.uint32(), count <= cursor.remaining / 2 else { return nil }
            if count == 0 { return ToneCurve { $0 } }
            var entries: [Double] = []
            for _ in 0..<count {
                guard let entry = cursor.uint16() else { return nil }
                entries.append(Double(entry))
            }
            if count == 1 { return .gamma(entries[0] / 256) }
            return ToneCurve { x in
                let position = x * Double(count - 1)
                let index = min(Int(position), count - 2)
                let part = position - Double(index)
                return (entries[index] * (1 - part) + entries[index + 1] * part) / 65535
            }
        }

        /// A `para`: ICC.1 table 68.
        private func parametric(_ cursor: inout ByteCursor) -> ToneCurve? {
            guard let kind = cursor.uint16(), cursor.uint16() != nil, kind <= 4 else { return nil }
            var p: [Double] = []
            for _ in 0..<[1, 3, 4, 5, 7][kind] {
                guard let value = fixed(&cursor) else { return nil }
                p.append(value)
            }
            return ToneCurve { x in
                switch kind {
                case 0: pow(x, p[0])
                case 1: x >= -p[2] / p[1] ? pow(p[1] * x + p[2], p[0]) : 0
                case 2: x >= -p[2] / p[1] ? pow(p[1] * x + p[2], p[0]) + p[3] : p[3]
                case 3: x >= p[4] ? pow(p[1] * x + p[2], p[0]) : p[3] * x
                default: x >= p[4] ? pow(p[1] * x + p[2], p[0]) + p[5] : p[3] * x + p[6]
                }
            }
        }
    }
}
