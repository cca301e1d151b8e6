// expect: a path segment cannot be nil: unwrap the optional first
import APICore

struct Show: Requestable {
    let id: Int?
    var path: RequestPath { "users/\(id)" }
}
