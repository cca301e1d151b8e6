// expect: 'Response' must be Decodable or Void, or the request must implement decode(_:using:)
import APICore

struct Photo: Sendable { let pixels: [UInt8] }
struct Show: APIRequest {
    typealias Response = Photo
    let path = "photo"
}
