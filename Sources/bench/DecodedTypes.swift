#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What a user of the library would write; nothing here knows which decoder it will meet.

struct User: Codable, Equatable {
    struct Address: Codable, Equatable {
        struct Geo: Codable, Equatable {
            let lat: String
            let lng: String
        }

        let street: String
        let suite: String
        let city: String
        let zipcode: String
        let geo: Geo
    }

    struct Company: Codable, Equatable {
        let name: String
        let catchPhrase: String
        let bs: String
    }

    let id: Int
    let name: String
    let username: String
    let email: String
    let address: Address
    let phone: String
    let website: String
    let company: Company
}

/// A record with what real payloads mix: numbers, nesting, escapes, other alphabets, optionals, dates.
struct Record: Codable, Equatable {
    enum Status: String, Codable {
        case active, suspended, archived
    }

    struct Position: Codable, Equatable {
        let latitude: Double
        let longitude: Double
        let accuracyMeters: Float
    }

    struct Measurement: Codable, Equatable {
        let sensorName: String
        let rawValues: [Double]
        let sampleCount: Int32
        let isCalibrated: Bool
    }

    let recordId: Int64
    let displayName: String
    let longDescription: String
    let status: Status
    let createdAt: Date
    let updatedAt: Date?
    let parentId: Int?
    let nickName: String?
    let position: Position?
    let measurements: [Measurement]
    let tagList: [String]
    let relatedIds: [Int]
    let extraCounts: [String: Int]
    let isPublic: Bool
}
