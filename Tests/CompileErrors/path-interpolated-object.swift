// expect: a path segment needs a value with a lossless text: a String, a number, a UUID or a raw value
import APICore

struct Key: Sendable { let id: Int }
struct Show: Requestable {
    let key: Key
    var path: RequestPath { "users/\(key)" }
}
