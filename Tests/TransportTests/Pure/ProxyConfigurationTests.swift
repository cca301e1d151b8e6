import APICore
import Testing

/// What the environment says about proxies.
struct ProxyConfigurationTests {
    @Test func readsTheVariables() {
        let configuration = ProxyConfiguration(environment: [
            "http_proxy": "http://user:p%40ss@proxy.example:3128/", "HTTPS_PROXY": "socks5h://[::1]:1080",
            "no_proxy": "localhost, .internal 10.0.0.0/8",
        ])
        #expect(
            configuration.http
                == .init(.http, host: "proxy.example", port: 3128, username: "user", password: "p@ss"))
        #expect(configuration.https == .init(.socks5h, host: "[::1]", port: 1080))
        #expect(configuration.exceptions == ["localhost", ".internal", "10.0.0.0/8"])
    }

    @Test func upperCaseHTTPProxyIsNotRead() {
        // In a CGI program it is the request's `Proxy` field.
        #expect(ProxyConfiguration(environment: ["HTTP_PROXY": "http://evil:80"]) == .none)
        #expect(ProxyConfiguration(environment: [:]) == .none)
    }

    @Test func oneForAll() {
        let configuration = ProxyConfiguration(environment: ["ALL_PROXY": "proxy:8080", "https_proxy": "other:1"])
        #expect(configuration.http?.host == "proxy")
        #expect(configuration.https?.host == "other")
    }

    @Test(arguments: ["", "ftp://proxy", "http://", "proxy:0", "proxy:99999", "proxy:x", "http://a b"])
    func nonsenseIsNoProxy(_ text: String) {
        #expect(ProxyConfiguration.Server(text) == nil)
    }

    @Test func secretsAreNotShown() {
        let server = ProxyConfiguration.Server(.http, host: "proxy", port: 1, username: "u", password: "hunter2")
        #expect(!"\(server)".contains("hunter2"))
    }
}
