#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A finished thumbnail: an image file in memory and what is known of it.
public struct Thumbnail: Sendable, Hashable {
    /// The encoded file. It carries no metadata, but an ICC profile where ``color`` says so.
    public var data: Data
    /// The file's format.
    public var format: ImageFormat
    /// The size in pixels.
    public var size: PixelSize
    /// What the source was.
    public var source: ImageProbe
    /// How its colours came about.
    public var color: ColorOutcome
    /// Whether the source was damaged and part of the image is made up; only with ``TruncationPolicy/partial``.
    public var isPartial: Bool
}
