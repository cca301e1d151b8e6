internal import APICore
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension NetworkError {
    /// What URLSession reports, as the case a caller can act on.
    init(urlError error: any Error, received: Int, expected: Int?, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = .connectivity(ConnectivityFailure(.other, reason: "\(error)", responseStarted: hasHead))
            return
        }
        let reason = error.localizedDescription
        func connectivity(_ kind: ConnectivityFailure.Kind) -> NetworkError {
            .connectivity(ConnectivityFailure(kind, reason: reason, responseStarted: hasHead))
        }
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timeout(TimeoutFailure(.idle, limit: nil))
        case .cannotFindHost, .dnsLookupFailed: self = connectivity(.nameResolution)
        case .cannotConnectToHost: self = connectivity(.connectionRefused)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: self = connectivity(.unreachable)
        case .networkConnectionLost:
            self =
                hasHead
                ? .truncated(TruncatedBody(received: received, expected: expected)) : connectivity(.connectionLost)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            self = .tls(TLSFailure(.untrustedCertificate, reason: reason))
        case .clientCertificateRejected, .clientCertificateRequired:
            self = .tls(TLSFailure(.clientCertificate, reason: reason))
        case .secureConnectionFailed: self = .tls(TLSFailure(.handshake, reason: reason))
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
            self = .invalidResponse(InvalidResponse(reason))
        case .badURL, .unsupportedURL: self = .invalidRequest(InvalidRequest(.other(reason)))
        default: self = connectivity(.other)
        }
    }
}
