// expect: 'body' must be Encodable (sent as JSON), an HTTPBody, Data, or an optional of these
import APICore

struct Photo: Sendable { let pixels: [UInt8] }
struct Upload: Requestable {
    let path = "photos"
    let method = HTTPMethod.post
    let body: Photo
}
