// expect: 'options' must be RequestOptions
import APICore

struct Search: Requestable {
    let path = "search"
    let options = ["timeout": 1]
}
