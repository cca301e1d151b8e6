/// How a download is done.
public struct DownloadOptions: Sendable {
    /// Whether what is there of an earlier attempt, in this process or another, is used, and kept on failure. It needs
    /// a GET request and a server that names a strong validator (`ETag`, or a `Last-Modified` that is old enough).
    public var isResumable: Bool
    /// The length in bytes the file must have.
    public var expectedLength: Int?
    /// The SHA-256 the file must have, in hexadecimal.
    public var sha256: String?
    /// Who may read and write the file, such as `0o640`; `nil` is what new files get in this process.
    public var permissions: UInt16?
    /// Whether a file that is at the path already is replaced. It is left untouched until the new one is complete.
    public var replacesExisting: Bool
    /// Whether to wait until the file is on the disk before it gets its name, so that not even a power failure leaves
    /// half a file under it.
    public var isSynchronized: Bool
    /// How many parts are fetched at the same time; 1 is a plain download. More help where the server or the way to it
    /// limits each connection. Where the server does not do ranges, it is a plain download.
    public var connections: Int
    /// The size of the parts, in bytes, at least 64 KB.
    public var segmentSize: Int
    /// Names the resource, for resuming; by default its URL. To be set when the URL differs each time, as signed URLs
    /// do.
    public var resumeKey: String?
    /// How often, and after what time, a lost connection is made again. Bytes that arrive start the count again.
    public var reconnection: ReconnectionPolicy
    /// The shortest time between two reports of progress.
    public var progressInterval: Duration

    /// Makes options; everything has a default.
    public init(
        isResumable: Bool = true, expectedLength: Int? = nil, sha256: String? = nil, permissions: UInt16? = nil,
        replacesExisting: Bool = true, isSynchronized: Bool = true, connections: Int = 1,
        segmentSize: Int = 8 << 20, resumeKey: String? = nil,
        reconnection: ReconnectionPolicy = DownloadOptions.standardReconnection,
        progressInterval: Duration = .milliseconds(100)
    ) {
        self.isResumable = isResumable
        self.expectedLength = expectedLength
        self.sha256 = sha256
        self.permissions = permissions
        self.replacesExisting = replacesExisting
        self.isSynchronized = isSynchronized
        self.connections = connections
        self.segmentSize = segmentSize
        self.resumeKey = resumeKey
        self.reconnection = reconnection
        self.progressInterval = progressInterval
    }

    /// Five attempts in a row, half a second apart at first and at most 15 s.
    public static let standardReconnection = ReconnectionPolicy(
        maximumAttempts: 5, delay: .milliseconds(500), maximumDelay: .seconds(15))
}
