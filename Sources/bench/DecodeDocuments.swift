#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The documents that `bench decode` knows. Generated from a fixed seed, so that every run measures the same bytes.
enum DecodeDocument: String, CaseIterable {
    /// 2,500 users, about 1 MB.
    case users
    /// 2,000 records of numbers, nesting, escapes, unicode, optionals and dates.
    case mixed
    /// One user of 427 bytes.
    case user

    func data(snakeCase: Bool) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // Sorted, so that the members come in another order than that of the type, and the same in every run.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        var generator = DocumentGenerator()
        switch self {
        case .users: return try Self.join((1...2500).map { try Self.text(of: generator.user($0), snakeCase) })
        case .user: return Data(try Self.text(of: DocumentGenerator.sampleUser, snakeCase).utf8)
        case .mixed: return try encoder.encode((1...2000).map { generator.record($0) })
        }
    }

    private static func join(_ elements: [String]) -> Data {
        Data("[\(elements.joined(separator: ","))]".utf8)
    }

    /// Users are written with their members in the order of the type, as servers write them; Foundation's encoder would
    /// shuffle them.
    private static func text(of user: User, _ snakeCase: Bool) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        func quoted(_ text: String) throws -> String { String(decoding: try encoder.encode(text), as: UTF8.self) }
        let address = user.address
        let company = user.company
        return """
            {"id":\(user.id),"name":\(try quoted(user.name)),"username":\(try quoted(user.username)),\
            "email":\(try quoted(user.email)),"address":{"street":\(try quoted(address.street)),\
            "suite":\(try quoted(address.suite)),"city":\(try quoted(address.city)),\
            "zipcode":\(try quoted(address.zipcode)),"geo":{"lat":\(try quoted(address.geo.lat)),\
            "lng":\(try quoted(address.geo.lng))}},"phone":\(try quoted(user.phone)),\
            "website":\(try quoted(user.website)),"company":{"name":\(try quoted(company.name)),\
            "\(snakeCase ? "catch_phrase" : "catchPhrase")":\(try quoted(company.catchPhrase)),\
            "bs":\(try quoted(company.bs))}}
            """
    }
}

/// Makes up users and records.
struct DocumentGenerator {
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    private mutating func number(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % limit
    }

    private static let words = [
        "harness", "real-time", "e-markets", "Multi-layered", "client-server", "neural-net", "Proactive", "didactic",
        "contingency", "synergize", "scalable", "supply-chains", "Face to face", "bifurcated", "interface", "zero",
    ]
    private static let names = [
        "Leanne Graham", "Ervin Howell", "Clementine Bauch", "Patricia Lebsack", "Chelsey Dietrich", "Kurtis Weissnat",
    ]
    private static let texts = [
        "Straße nach Süden", "東京都千代田区", "Ünïcödé 🚀 launch", "line one\nline two\t\"quoted\"", "C:\\data\\new",
        "Ελληνικά κείμενα",
        "plain text of a usual length, nothing special in it", "путь к файлу", "a/b/c", "tab\tseparated\tvalues",
    ]

    private mutating func word() -> String { Self.words[number(below: Self.words.count)] }
    private mutating func text() -> String { Self.texts[number(below: Self.texts.count)] }

    private mutating func coordinate() -> String {
        "\(number(below: 2) == 0 ? "" : "-")\(number(below: 90)).\(1000 + number(below: 9000))"
    }

    mutating func user(_ id: Int) -> User {
        let name = Self.names[number(below: Self.names.count)]
        return User(
            id: id, name: name, username: "user\(number(below: 100_000))",
            email: "\(word().lowercased())\(id)@example.com",
            address: .init(
                street: "\(word()) Light", suite: "Apt. \(100 + number(below: 900))", city: "Gwenborough",
                zipcode: "\(10000 + number(below: 90000))-\(1000 + number(below: 9000))",
                geo: .init(lat: coordinate(), lng: coordinate())),
            phone: "1-770-736-8031 x\(10000 + number(below: 90000))", website: "\(word().lowercased()).example.org",
            company: .init(
                name: "\(word()) Group", catchPhrase: "\(word()) \(word()) \(word())",
                bs: "\(word()) \(word()) \(word())"))
    }

    /// 427 bytes of JSON.
    static let sampleUser = User(
        id: 1, name: "Leanne Graham", username: "Bret", email: "leanne.graham@april.example.org",
        address: .init(
            street: "Kulas Light", suite: "Apt. 556", city: "Gwenborough", zipcode: "92998-3874",
            geo: .init(lat: "-37.3159", lng: "81.1496")),
        phone: "1-770-736-8031 x56442", website: "hildegard.example.org",
        company: .init(
            name: "Romaguera-Crona", catchPhrase: "Multi-layered client-server neural-net",
            bs: "harness real-time e-markets now"))

    mutating func record(_ id: Int) -> Record {
        let date = Date(timeIntervalSince1970: Double(1_600_000_000 + number(below: 100_000_000)))
        return Record(
            recordId: Int64(id) * 7_919_000_000_003, displayName: text(),
            longDescription: "\(text()) — \(text()); \(text())",
            status: [.active, .suspended, .archived][number(below: 3)], createdAt: date,
            updatedAt: number(below: 2) == 0 ? nil : date.addingTimeInterval(86_400),
            parentId: number(below: 3) == 0 ? nil : number(below: 1_000_000),
            nickName: number(below: 2) == 0 ? nil : word(),
            position: number(below: 4) == 0
                ? nil
                : .init(
                    latitude: Double(number(below: 180_000_000)) / 1e6 - 90,
                    longitude: Double(number(below: 360_000_000)) / 1e6 - 180,
                    accuracyMeters: Float(number(below: 1000)) / 8),
            measurements: (0..<number(below: 4)).map { _ in
                Record.Measurement(
                    sensorName: word(), rawValues: (0..<6).map { _ in Double(number(below: 2_000_000_000)) / 65_536 },
                    sampleCount: Int32(number(below: 100_000)), isCalibrated: number(below: 2) == 0)
            },
            tagList: (0..<number(below: 5)).map { _ in word() },
            relatedIds: (0..<number(below: 8)).map { _ in number(below: 1_000_000_000) },
            extraCounts: ["seen_count": number(below: 1000), "kept_count": number(below: 1000)],
            isPublic: number(below: 2) == 0)
    }
}
