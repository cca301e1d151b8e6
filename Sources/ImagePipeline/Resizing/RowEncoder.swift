import CImageCodecs

/// The last step of a resized row: from floats back to bytes, through the colour conversion where there is one.
struct RowEncoder {
    let color: SourceColor
    let light: LightSpace
    let channels: Int
    let width: Int
    let kernels: ci_kernels

    init(color: SourceColor, light: LightSpace, channels: Int, width: Int, kernels: ci_kernels) {
        self.color = color
        self.light = light
        self.channels = channels
        self.width = width
        self.kernels = kernels
    }

    /// For rows that are bytes already and only need ``convert(_:)``.
    init(color: SourceColor, width: Int, channels: Int) {
        self.init(color: color, light: .gamma, channels: channels, width: width, kernels: ci_kernels_best().pointee)
    }

    /// `row` is changed on the way.
    func encode(_ row: UnsafeMutablePointer<Float>, into target: UnsafeMutablePointer<UInt8>) {
        switch (light, channels) {
        case (.linear, 4):
            apply(color.matrix, to: row)
            kernels.unpremultiply(row, target, width, KernelTables.encodeSRGB)
        case (.linear, _):
            apply(color.matrix, to: row)
            kernels.encode_table(row, target, width * channels, KernelTables.encodeSRGB)
        case (.gamma, 4):
            kernels.unpremultiply(row, target, width, nil)
            convert(target)
        case (.gamma, _):
            kernels.encode_round(row, target, width * channels)
            convert(target)
        }
    }

    /// Linear in the samples, so it can be done once on the few pixels of the result, premultiplied or not.
    private func apply(_ matrix: ColorMatrix?, to row: UnsafeMutablePointer<Float>) {
        guard let matrix, channels >= 3 else { return }
        let rows = matrix.rows.map { SIMD3<Float>($0) }
        for start in stride(from: 0, to: width * channels, by: channels) {
            let rgb = SIMD3<Float>(row[start], row[start + 1], row[start + 2])
            for channel in 0..<3 { row[start + channel] = (rows[channel] * rgb).sum() }
        }
    }

    /// Bytes of the source's colour space to sRGB; nothing to do for most images.
    func convert(_ row: UnsafeMutablePointer<UInt8>) {
        guard color.needsConversion else { return }
        let light = color.curve.curve
        let table = KernelTables.encodeSRGB
        func encoded(_ value: Float) -> UInt8 { table[Int(min(max(value, 0), 1) * 65535 + 0.5)] }
        withUnsafeBytes(of: light.pointee.real) { raw in
            let real = raw.assumingMemoryBound(to: Float.self)
            for start in stride(from: 0, to: width * channels, by: channels) {
                guard channels >= 3 else {
                    row[start] = encoded(real[Int(row[start])])
                    continue
                }
                var rgb = SIMD3<Float>(
                    real[Int(row[start])], real[Int(row[start + 1])], real[Int(row[start + 2])])
                if let matrix = color.matrix {
                    rgb = SIMD3(
                        (SIMD3<Float>(matrix.rows[0]) * rgb).sum(), (SIMD3<Float>(matrix.rows[1]) * rgb).sum(),
                        (SIMD3<Float>(matrix.rows[2]) * rgb).sum())
                }
                for channel in 0..<3 { row[start + channel] = encoded(rgb[channel]) }
            }
        }
    }
}
