// expect: 'path' must be a String, a RequestPath, a string enum, or a type that conforms to RequestPathConvertible
import APICore

struct Search: Requestable {
    let path: String?
}
