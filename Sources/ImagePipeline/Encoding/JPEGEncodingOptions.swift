/// How a JPEG file is written.
public struct JPEGEncodingOptions: Sendable, Hashable {
    /// How many pixels share a colour.
    public enum ChromaSubsampling: String, Sendable, Hashable, CaseIterable {
        /// Full colour resolution.
        case full = "4:4:4"
        /// Half across.
        case horizontal = "4:2:2"
        /// Half across and down.
        case quarter = "4:2:0"
        /// `full` from quality 90 up, else `quarter`.
        case automatic
    }

    /// 1 to 100, in libjpeg's scale. Default 80.
    public var quality = 80
    /// Whether the image builds up while loading. Smaller by a few percent, slower to write and to show. Default false.
    public var isProgressive = false
    /// Whether Huffman tables are made for the image: about 2 % smaller, a third slower to write. Default false.
    public var optimizesHuffman = false
    /// How many pixels share a colour. Default automatic.
    public var subsampling = ChromaSubsampling.automatic

    /// The default options, at a given quality.
    public init(quality: Int = 80) { self.quality = quality }

    var samplingFactors: (horizontal: Int32, vertical: Int32) {
        switch subsampling {
        case .full: (1, 1)
        case .horizontal: (2, 1)
        case .quarter: (2, 2)
        case .automatic: quality >= 90 ? (1, 1) : (2, 2)
        }
    }
}
