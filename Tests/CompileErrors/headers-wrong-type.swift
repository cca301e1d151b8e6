// expect: 'headers' must be HTTPHeaders, [HTTPHeaderKey: String], [String: String] or [HTTPHeader]
import APICore

struct Search: Requestable {
    let path = "search"
    let headers = ["Accept": 1]
}
