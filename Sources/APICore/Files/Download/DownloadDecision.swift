/// What a response means for a download that asked for bytes from an offset; no I/O (RFC 9110 sections 14 and 15.3.7).
enum DownloadDecision: Sendable {
    /// The body goes on at the offset.
    case append(total: Int?)
    /// The body is the whole resource from its beginning: what is there is of another copy, or the server does not do
    /// ranges.
    case startOver(total: Int?)
    /// What is there cannot be used, and the body neither: ask again, for everything.
    case askAgain
    /// The download has failed.
    case fail(NetworkError)

    /// - Parameters:
    ///   - head: The response's head.
    ///   - requested: The bytes that were asked for; `nil` when everything was. An end of `Int.max` is no end.
    ///   - validator: What the request promised with `If-Range`.
    ///   - knownTotal: The length of the copy that is there in part.
    init(_ head: ResponseHead, requested: Range<Int>?, validator: StrongValidator?, knownTotal: Int?) {
        switch head.status {
        case .partialContent:
            guard let requested else {
                self = .fail(.invalidResponse(InvalidResponse("a part was sent where nothing but the whole was asked")))
                return
            }
            // `multipart/byteranges` has no Content-Range of its own and is never asked for (section 14.6).
            guard let text = head.headers[.contentRange], let content = ContentRange(text), let range = content.range
            else {
                self = .askAgain
                return
            }
            let end = min(requested.upperBound, content.total ?? .max)
            guard range.lowerBound == requested.lowerBound, range.upperBound <= end,
                knownTotal == nil || content.total == nil || content.total == knownTotal,
                validator?.isContradicted(by: head) != true, head.isUnencoded
            else {
                self = .askAgain
                return
            }
            self = .append(total: content.total ?? knownTotal)
        case .rangeNotSatisfiable where requested != nil:
            self = .askAgain
        case let status where status.isSuccess:
            self = .startOver(total: head.isUnencoded ? head.headers[.contentLength].flatMap { Int(digits: $0) } : nil)
        default:
            self = .fail(.api(APIError(head: head)))
        }
    }
}

extension ResponseHead {
    /// Whether the body is the resource's own bytes: offsets and lengths of an encoded one count other bytes.
    var isUnencoded: Bool {
        guard let coding = headers[.contentEncoding] else { return true }
        return coding.trimmingOWS.equalsIgnoringASCIICase("identity")
    }

    /// Whether a download of this response can be resumed: its bytes are the resource's own, and it has a validator.
    var resumableValidator: StrongValidator? {
        guard isUnencoded, let validator = StrongValidator(self) else { return nil }
        if status == .partialContent { return validator }
        // Section 14.3: a server that says "none" will not do ranges.
        let ranges = headers[joined: .acceptRanges]?.lowercased()
        return ranges == "none" ? nil : validator
    }
}
