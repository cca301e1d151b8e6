/// What becomes of an image's colour space.
public enum ColorProfileHandling: String, Sendable, Hashable, CaseIterable {
    /// Results are sRGB, which every viewer assumes of a file that says nothing. Profiles of curves and primaries
    /// (cameras, phones, screens) are converted. Others (tables) are carried along unconverted.
    case convertToSRGB
    /// Numbers are kept and the profile is embedded in the result, unless it is sRGB.
    case preserve
}

/// How the colours of a result came about. A profile is never dropped silently.
public enum ColorOutcome: String, Sendable, Hashable {
    /// The source was sRGB, or said nothing and was taken for it.
    case sRGB
    /// The source's profile, or its gamma, was converted to sRGB.
    case convertedToSRGB
    /// The source's profile is embedded in the result.
    case profileEmbedded
    /// CMYK without use of a profile: each channel is the product of its ink's and black's transmission.
    case approximatedFromCMYK
}
