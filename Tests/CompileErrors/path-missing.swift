// expect: does not conform to protocol 'Requestable'
import APICore

struct Search: Requestable {}
