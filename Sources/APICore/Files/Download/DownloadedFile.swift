/// A file that is complete, verified and in its place.
public struct DownloadedFile: Sendable, Hashable {
    /// Where it is.
    public var path: String
    /// Its length in bytes.
    public var length: Int
    /// Its SHA-256 in hexadecimal, if one was expected.
    public var sha256: String?
    /// How many bytes were there already, from an earlier download that was interrupted.
    public var resumedBytes: Int
    /// Status, header fields and URL of the last response.
    public var head: ResponseHead
}
