// expect: 'method' must be an HTTPMethod: write HTTPMethod.post, not "POST"
import APICore

struct Create: Requestable {
    let path = "posts"
    let method = "POST"
}
