/// A JSON value being written.
///
/// A value that a container encodes is written in place, at the end of its parent's text. Nested containers and super
/// encoders can be written at any time until their parent is finished, so each gets a text of its own, which is inserted
/// when the parent is finished.
final class EncodingNode {
    enum Kind {
        case nothing, scalar, object, array
    }

    let session: EncodingSession
    let text: EncodingText
    let parent: EncodingNode?
    /// The node's key in its parent; nil if it is the same value, or the root.
    let key: (any CodingKey)?
    /// The number of containers around it.
    let level: Int
    private(set) var kind = Kind.nothing
    private(set) var count = 0
    let isPretty: Bool
    private let recordsMembers: Bool
    private let start: Int
    private let firstInsertion: Int
    private let firstMember: Int
    private let outerActive: ObjectIdentifier?
    private var isFinished = false
    /// Whether a name may have been written more than once.
    private var mayRepeatNames = false
    private var writtenTags: UInt64 = 0
    private var tagType: ObjectIdentifier?

    init(session: EncodingSession, text: EncodingText, parent: EncodingNode?, key: (any CodingKey)?, level: Int) {
        self.session = session
        self.text = text
        self.parent = parent
        self.key = key
        self.level = level
        buffer = text.buffer
        isPretty = session.isPretty
        recordsMembers = session.sortsKeys
        start = text.buffer.count
        firstInsertion = text.insertions.count
        firstMember = text.memberStarts.count
        outerActive = text.active
        text.active = ObjectIdentifier(self)
    }

    let buffer: JSONTextBuffer

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var node: EncodingNode? = self
        while let current = node {
            if let key = current.key { path.append(key) }
            node = current.parent
        }
        return path.reversed()
    }

    /// Whether something can be written to the node now: it is not finished, and no value is being written inside it.
    @inline(__always)
    var isWritable: Bool { text.active == ObjectIdentifier(self) && !isFinished }

    func check(_ value: @autoclosure () -> Any, _ path: @autoclosure () -> [any CodingKey]) throws {
        if isWritable { return }
        let message = "The container is used while another value is being encoded, or after its encoding has ended."
        throw EncodingError.invalidValue(value(), .init(codingPath: path(), debugDescription: message))
    }

    /// Makes the node an object or array, or continues it; false if it is something else.
    func begin(_ wanted: Kind) -> Bool {
        guard isWritable else { return false }
        if kind == wanted {
            mayRepeatNames = true
            return true
        }
        guard kind == .nothing else { return false }
        kind = wanted
        buffer.append(wanted == .object ? ASCII.openBrace : ASCII.openBracket)
        return true
    }

    /// Makes the node a scalar; the caller writes it.
    func beginScalar(_ value: @autoclosure () -> Any) throws {
        try check(value(), codingPath)
        guard kind == .nothing else {
            let message = "A value has been encoded already."
            throw EncodingError.invalidValue(value(), .init(codingPath: codingPath, debugDescription: message))
        }
        kind = .scalar
    }

    /// Writes what comes before a member or element.
    @inline(__always)
    func beginMember() {
        if count > 0 { buffer.append(ASCII.comma) }
        count &+= 1
        if isPretty { buffer.appendLine(level: level + 1) }
        if recordsMembers && kind == .object { text.memberStarts.append(buffer.count) }
    }

    /// Notes that the case with this tag of a type of keys is written.
    @inline(__always)
    func note(tag: Int, of type: ObjectIdentifier) {
        if tagType != type {
            if tagType != nil { mayRepeatNames = true }
            tagType = type
        }
        let bit: UInt64 = 1 &<< UInt64(tag & 63)
        if writtenTags & bit != 0 { mayRepeatNames = true }
        writtenTags |= bit
    }

    func noteUntaggedName() {
        mayRepeatNames = true
    }

    /// Takes back a member that could not be encoded.
    func abandonMember(_ mark: Mark) {
        buffer.truncate(to: mark.count)
        count = mark.members
        text.memberStarts.removeLast(text.memberStarts.count - mark.memberStarts)
        text.insertions.removeLast(text.insertions.count - mark.insertions)
        text.active = ObjectIdentifier(self)
    }

    struct Mark {
        fileprivate var count: Int
        fileprivate var members: Int
        fileprivate var memberStarts: Int
        fileprivate var insertions: Int
    }

    @inline(__always)
    var mark: Mark {
        Mark(
            count: buffer.count, members: count, memberStarts: text.memberStarts.count,
            insertions: text.insertions.count)
    }

    /// A node with a text of its own that goes where the text is now.
    func insertNode(key: (any CodingKey)?, kind: Kind) -> EncodingNode {
        let text = session.makeText(capacity: 128)
        let node = EncodingNode(session: session, text: text, parent: self, key: key, level: level + 1)
        if kind != .nothing { _ = node.begin(kind) }
        self.text.insertions.append((buffer.count, node))
        return node
    }

    /// A node that is not part of any text, for containers that cannot be had: writing to it throws.
    func detachedNode(key: (any CodingKey)?) -> EncodingNode {
        let text = EncodingText(capacity: 16)
        let node = EncodingNode(session: session, text: text, parent: self, key: key, level: level + 1)
        node.isFinished = true
        return node
    }

    /// Completes the text of the value. One that wrote nothing becomes an empty object.
    func finish() {
        if isFinished { return }
        if kind == .nothing { _ = begin(.object) }
        if text.insertions.count > firstInsertion { resolveInsertions() }
        if kind == .object || kind == .array {
            if kind == .object {
                if count > 1 && (mayRepeatNames || session.sortsKeys) { arrangeMembers() }
                text.memberStarts.removeLast(text.memberStarts.count - firstMember)
            }
            if isPretty {
                // An empty container has an empty line.
                if count == 0 { buffer.append(ASCII.lineFeed) }
                buffer.appendLine(level: level)
            }
            buffer.append(kind == .object ? ASCII.closeBrace : ASCII.closeBracket)
        }
        isFinished = true
        text.active = outerActive
    }

    private func resolveInsertions() {
        let insertions = text.insertions[firstInsertion...]
        var result: [UInt8] = []
        var copied = start
        var shifts: [(offset: Int, length: Int)] = []
        for (offset, node) in insertions {
            node.finish()
            result.append(contentsOf: buffer.bytes[copied..<offset])
            result.append(contentsOf: node.buffer.bytes)
            shifts.append((offset, node.buffer.count))
            copied = offset
        }
        result.append(contentsOf: buffer.bytes[copied...])
        text.insertions.removeLast(insertions.count)
        for index in firstMember..<text.memberStarts.count {
            let member = text.memberStarts[index]
            text.memberStarts[index] += shifts.reduce(0) { $0 + ($1.offset < member ? $1.length : 0) }
        }
        buffer.replace(from: start, with: result)
    }

    /// Where the members start, found in the text.
    private func findMemberStarts() -> [Int] {
        let bytes = buffer.bytes
        var starts: [Int] = []
        var depth = 0
        var isBeforeMember = true
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case ASCII.quote:
                if isBeforeMember { starts.append(position) }
                isBeforeMember = false
                position += 1
                while bytes[position] != ASCII.quote { position += bytes[position] == ASCII.backslash ? 2 : 1 }
            case ASCII.openBrace, ASCII.openBracket: depth += 1
            case ASCII.closeBrace, ASCII.closeBracket: depth -= 1
            case ASCII.comma where depth == 0: isBeforeMember = true
            default: break
            }
            position += 1
        }
        return starts
    }

    /// Sorts the members by name if wanted, and leaves only the last of those with the same name.
    private func arrangeMembers() {
        let starts = recordsMembers ? text.memberStarts[firstMember...] : findMemberStarts()[...]
        let separator = isPretty ? 2 + 2 * (level + 1) : 1
        let bytes = buffer.bytes
        var members: [EncodedMember] = []
        members.reserveCapacity(starts.count)
        for (position, start) in zip(starts.indices, starts) {
            let isLast = position + 1 == starts.endIndex
            let end = isLast ? bytes.count : starts[position + 1] - separator
            members.append(EncodedMember(text: bytes, range: start..<end))
        }
        if mayRepeatNames { members = EncodedMember.withoutRepetitions(members) }
        if session.sortsKeys { members.sort { $0.name.lexicographicallyPrecedes($1.name) } }
        guard let first = starts.first else { return }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count - first)
        for (position, member) in members.enumerated() {
            if position > 0 {
                result.append(ASCII.comma)
                if isPretty {
                    result.append(ASCII.lineFeed)
                    result.append(contentsOf: repeatElement(ASCII.space, count: 2 * (level + 1)))
                }
            }
            result.append(contentsOf: bytes[member.range])
        }
        buffer.replace(from: first, with: result)
    }
}

/// A member of an object in its text.
struct EncodedMember {
    /// The name's bytes without quotes and escapes.
    var name: [UInt8]
    var range: Range<Int>

    init(text: UnsafeRawBufferPointer, range: Range<Int>) {
        self.range = range
        var end = range.lowerBound + 1
        var hasEscapes = false
        while end < range.upperBound && text[end] != ASCII.quote {
            if text[end] == ASCII.backslash {
                hasEscapes = true
                end += 1
            }
            end += 1
        }
        name = Array(text[range.lowerBound + 1..<end])
        if hasEscapes { name = Self.unescape(name) }
    }

    private static func unescape(_ name: [UInt8]) -> [UInt8] {
        let quoted = [ASCII.quote] + name + [ASCII.quote]
        // The encoder wrote it, so it can be read.
        return (try? FastJSONDecoder().decode(String.self, from: quoted)).map { Array($0.utf8) } ?? name
    }

    /// The last of the members with each name, in the place of the first.
    static func withoutRepetitions(_ members: [EncodedMember]) -> [EncodedMember] {
        var positions: [[UInt8]: Int] = [:]
        var result: [EncodedMember] = []
        for member in members {
            if let position = positions[member.name] {
                result[position] = member
            } else {
                positions[member.name] = result.count
                result.append(member)
            }
        }
        return result
    }
}
