// expect: requires that 'Photo' conform to 'Decodable'
import APICore

struct Photo: Sendable { let pixels: [UInt8] }
struct Show: Requestable { let path = "photo" }
let resource = Resource<Photo, Show>(request: Show())
