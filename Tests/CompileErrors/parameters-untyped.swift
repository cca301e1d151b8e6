// expect: 'parameters' must be QueryParameters, [URLQueryItem] or a dictionary of values: declare its type
import APICore

struct Thing: Sendable {}
struct Search: Requestable {
    let path = "search"
    let parameters = ["a": Thing()]
}
