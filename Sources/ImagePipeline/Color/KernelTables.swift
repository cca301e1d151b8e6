import CImageCodecs

/// The tables that kernels read, made once.
///
/// `@unchecked Sendable`: written in `init` only, then read.
final class KernelTables: @unchecked Sendable {
    /// A curve as the kernels want it; stays valid as long as this object.
    let curve: UnsafePointer<ci_tone_curve>

    init(_ curve: ToneCurve, isSRGB: Bool = false) {
        let memory = UnsafeMutablePointer<ci_tone_curve>.allocate(capacity: 1)
        memory.initialize(to: ci_tone_curve())
        withUnsafeMutableBytes(of: &memory.pointee.real) { target in
            curve.values.withUnsafeBytes { target.copyMemory(from: $0) }
        }
        memory.pointee.is_srgb = isSRGB ? 1 : 0
        ci_tone_curve_prepare(memory)
        self.curve = UnsafePointer(memory)
    }

    deinit { UnsafeMutablePointer(mutating: curve).deallocate() }

    static let sRGB = KernelTables(.sRGB, isSRGB: true)
    /// No curve at all: for premultiplying without linear light.
    static let identity = KernelTables(ToneCurve { $0 })

    /// From linear light in 65536 steps to sRGB bytes.
    static let encodeSRGB: [UInt8] = (0..<65536).map {
        UInt8((ToneCurve.encodeSRGB(Double($0) / 65535) * 255).rounded())
    }
}
