import APICore
import Foundation
import Testing

/// The servers that `Tests/servers/start.sh` starts. Without them the tests are skipped, unless
/// `APILAYER_REQUIRE_SERVERS=1`, when they fail.
struct RealServers: Sendable {
    let http: String
    let https: String
    let mutual: String
    let authority: String
    let clientCertificate: String
    let clientKey: String
    let httpbin: String

    static let shared: RealServers? = {
        let environment = ProcessInfo.processInfo.environment
        guard let http = environment["APILAYER_TEST_NGINX_HTTP"], let https = environment["APILAYER_TEST_NGINX_HTTPS"],
            let authority = environment["APILAYER_TEST_NGINX_CA"], let httpbin = environment["APILAYER_TEST_HTTPBIN"]
        else { return nil }
        return RealServers(
            http: http, https: https, mutual: environment["APILAYER_TEST_NGINX_MUTUAL"] ?? "", authority: authority,
            clientCertificate: environment["APILAYER_TEST_CLIENT_CERTIFICATE"] ?? "",
            clientKey: environment["APILAYER_TEST_CLIENT_KEY"] ?? "", httpbin: httpbin)
    }()

    static var areWanted: Bool {
        shared != nil || ProcessInfo.processInfo.environment["APILAYER_REQUIRE_SERVERS"] == "1"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips without the real servers.
    static var needsServers: Self {
        .enabled("start them with Tests/servers/start.sh") { RealServers.areWanted }
    }
}
