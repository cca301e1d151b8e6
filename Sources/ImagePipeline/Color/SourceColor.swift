/// How a source's samples become linear light, and what is left to do afterwards.
struct SourceColor {
    /// The curve for all channels.
    var curve: KernelTables
    /// Where channels have different curves: bytes that bring each channel's code values to those of `curve`.
    var channelMaps: [[UInt8]]?
    /// From the source's linear RGB to sRGB's.
    var matrix: ColorMatrix?
    /// Whether code values are not sRGB's, so that even gamma-space results need converting.
    var needsConversion: Bool
    /// To embed in the result.
    var embeddedProfile: [UInt8]?
    var outcome: ColorOutcome

    static let sRGB = SourceColor(
        curve: .sRGB, channelMaps: nil, matrix: nil, needsConversion: false, embeddedProfile: nil, outcome: .sRGB)

    /// - Parameters:
    ///   - profile: The embedded profile's bytes.
    ///   - gamma: PNG's gAMA, which counts only without a profile and an sRGB chunk.
    init(
        profile: [UInt8]?, gamma: Double?, channels: Int, isCMYK: Bool, handling: ColorProfileHandling
    ) {
        self = .sRGB
        if isCMYK {
            // The profile describes inks, and the result has none.
            outcome = .approximatedFromCMYK
            return
        }
        if let bytes = profile, let profile = ICCProfile(bytes) {
            apply(profile, channels: channels, handling: handling)
        } else if let gamma, profile == nil {
            let toneCurve = ToneCurve.gamma(1 / gamma)
            // 1/2.2, the usual value, is sRGB written by programs that cannot say so.
            if abs(gamma - 0.45455) > 0.01 {
                curve = KernelTables(toneCurve)
                needsConversion = true
                outcome = .convertedToSRGB
            }
        }
    }

    private init(
        curve: KernelTables, channelMaps: [[UInt8]]?, matrix: ColorMatrix?, needsConversion: Bool,
        embeddedProfile: [UInt8]?, outcome: ColorOutcome
    ) {
        self.curve = curve
        self.channelMaps = channelMaps
        self.matrix = matrix
        self.needsConversion = needsConversion
        self.embeddedProfile = embeddedProfile
        self.outcome = outcome
    }

    private mutating func apply(_ profile: ICCProfile, channels: Int, handling: ColorProfileHandling) {
        if profile.isSRGB { return }
        // Gray with alpha is decoded to RGBA: its profile still describes it, but could not be embedded in the result.
        let isGrayInColor = profile.space == .gray && channels == 4
        let matchesPixels =
            (profile.space == .gray && channels == 1) || (profile.space == .rgb && channels != 1) || isGrayInColor
        guard matchesPixels else { return }  // a profile of another colour model says nothing about these pixels
        let handling = isGrayInColor ? .convertToSRGB : handling
        switch (profile.model, handling) {
        case (.opaque, _) where isGrayInColor:
            return
        case (.opaque, _), (_, .preserve):
            embeddedProfile = profile.bytes
            outcome = .profileEmbedded
        case (.gray(let toneCurve), .convertToSRGB):
            curve = KernelTables(toneCurve)
            needsConversion = true
            outcome = .convertedToSRGB
        case (.matrix(let curves, let toPCS), .convertToSRGB):
            curve = KernelTables(curves[1])
            if curves[0] != curves[1] || curves[2] != curves[1] {
                channelMaps = curves.map { Self.map(from: $0, to: curves[1]) }
            }
            matrix = ColorMatrix.pcsToSRGB.multiplied(by: toPCS)
            needsConversion = true
            outcome = .convertedToSRGB
        }
    }

    /// Brings a row to the one curve, where the source has several.
    func mapChannels(_ row: UnsafeMutablePointer<UInt8>, samples: Int, channels: Int) {
        guard let channelMaps, channels >= 3 else { return }
        for start in stride(from: 0, to: samples, by: channels) {
            for channel in 0..<3 { row[start + channel] = channelMaps[channel][Int(row[start + channel])] }
        }
    }

    /// For each code value of one curve, the code value of the other that gives about the same light.
    private static func map(from source: ToneCurve, to target: ToneCurve) -> [UInt8] {
        source.values.map { light in
            let nearest = (0..<256).min { abs(target.values[$0] - light) < abs(target.values[$1] - light) }
            return UInt8(nearest ?? 0)
        }
    }
}
