#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DocumentReader {
    /// Decodes the value at a tape index. `element` is what `PathNode` says.
    @inline(__always)
    func value<T: Decodable>(_ type: T.Type, at index: Int, depth: Int, element: Int) throws -> T {
        state.pointee.nodes[depth] = PathNode(index: index, element: element)
        let entry = state.pointee.kinds.entry(of: type)
        if entry.pointee.kind == .plain {
            return try T(from: ValueDecoder(session: session, index: index, depth: depth))
        }
        return try specialValue(type, entry.pointee, at: index, depth: depth)
    }

    @inline(never)
    private func specialValue<T: Decodable>(
        _ type: T.Type, _ entry: TypeKindCache.Entry, at index: Int, depth: Int
    ) throws -> T {
        /// The kind says that `T` is the type of `value`.
        func cast<Value>(_ value: Value) -> T { unsafeBitCast(value, to: T.self) }
        switch entry.kind {
        case .plain: return try T(from: ValueDecoder(session: session, index: index, depth: depth))
        case .string: return cast(try string(at: index, depth: depth, element: noted(depth)))
        case .bool: return cast(try bool(at: index, depth: depth, element: noted(depth)))
        case .int: return cast(try integer(Int.self, at: index, depth: depth, element: noted(depth)))
        case .double: return cast(try double(at: index, depth: depth, element: noted(depth)))
        case .float: return cast(try float(at: index, depth: depth, element: noted(depth)))
        case .date: return cast(try date(at: index, depth: depth))
        case .data:
            let data = try data(at: index, depth: depth)
            // Not every platform's `Data` has the size of `T` known here.
            guard let result = data as? T else { throw typeMismatch(type, at: index, depth: depth, element: nil) }
            return result
        case .url:
            guard let result = try url(at: index, depth: depth) as? T else {
                throw typeMismatch(type, at: index, depth: depth, element: nil)
            }
            return result
        case .decimal: return cast(try decimal(at: index, depth: depth))
        case .stringArray, .intArray, .doubleArray, .array:
            guard let arrayType = entry.array else { break }
            return try decodeArray(arrayType, entry.kind, as: type, at: index, depth: depth)
        case .stringDictionary:
            guard let dictionaryType = entry.dictionary else { break }
            return try decodeDictionary(dictionaryType, as: type, at: index, depth: depth)
        }
        throw typeMismatch(type, at: index, depth: depth, element: nil)
    }

    private func decodeArray<A: ArrayDecodable, T>(
        _ array: A.Type, _ kind: TypeKind, as type: T.Type, at index: Int, depth: Int
    ) throws -> T {
        unsafeBitCast(try A.decodeElements(kind, reader: self, at: index, depth: depth), to: T.self)
    }

    private func decodeDictionary<D: StringDictionaryDecodable, T>(
        _ dictionary: D.Type, as type: T.Type, at index: Int, depth: Int
    ) throws -> T {
        unsafeBitCast(try D.decodeMembers(reader: self, at: index, depth: depth), to: T.self)
    }

    /// The element noted for the value that is being decoded at a depth.
    @inline(__always)
    func noted(_ depth: Int) -> Int {
        Int(state.pointee.nodes[depth].element)
    }

    @inline(__always)
    func isNull(at index: Int) -> Bool {
        state.pointee.entries[index].kind == Token.null
    }

    @inline(__always)
    func bool(at index: Int, depth: Int, element: @autoclosure () -> Int) throws -> Bool {
        switch state.pointee.entries[index].kind {
        case Token.true: return true
        case Token.false: return false
        // Null is a mismatch here, not a missing value: so has Foundation decided.
        default: throw typeMismatch(Bool.self, at: index, depth: depth, element: element())
        }
    }
}

/// An array of decodable elements, whatever they are.
protocol ArrayDecodable {
    static func decodeElements(_ kind: TypeKind, reader: DocumentReader, at index: Int, depth: Int) throws -> Self
}

extension Array: ArrayDecodable where Element: Decodable {
    /// Does what `Array.init(from:)` does, without an unkeyed container, and with room for all elements from the start
    /// unless that is out of proportion to the text: elements may be large and written in two bytes.
    static func decodeElements(
        _ kind: TypeKind, reader: DocumentReader, at index: Int, depth: Int
    ) throws -> [Element] {
        // The kind says what the element is. To cast the array here, where its type is known, costs nothing.
        switch kind {
        case .stringArray: return unsafeBitCast(try reader.strings(at: index, depth: depth), to: [Element].self)
        case .intArray: return unsafeBitCast(try reader.integers(at: index, depth: depth), to: [Element].self)
        case .doubleArray: return unsafeBitCast(try reader.doubles(at: index, depth: depth), to: [Element].self)
        default: break
        }
        let entries = reader.state.pointee.entries
        guard entries[index].kind == Token.array else {
            throw reader.containerMismatch([Any].self, "unkeyed", at: index, depth: depth)
        }
        let count = entries.memberCount(of: index)
        let (size, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        if overflows || size > 65_536 + 16 * reader.state.pointee.byteCount {
            return try decodeElementsOneByOne(count, reader, index, depth)
        }
        return try [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            var child = index &+ 1
            while initialized < count {
                (base + initialized).initialize(
                    to: try reader.value(Element.self, at: child, depth: depth &+ 1, element: initialized))
                initialized &+= 1
                child = reader.state.pointee.entries.next(after: child)
            }
        }
    }

    private static func decodeElementsOneByOne(
        _ count: Int, _ reader: DocumentReader, _ index: Int, _ depth: Int
    ) throws -> [Element] {
        var elements: [Element] = []
        var child = index + 1
        for element in 0..<count {
            elements.append(try reader.value(Element.self, at: child, depth: depth + 1, element: element))
            child = reader.state.pointee.entries.next(after: child)
        }
        return elements
    }
}

/// A dictionary with `String` keys, whose names are data and not converted.
protocol StringDictionaryDecodable {
    static func decodeMembers(reader: DocumentReader, at index: Int, depth: Int) throws -> Self
}

extension Dictionary: StringDictionaryDecodable where Key == String, Value: Decodable {
    static func decodeMembers(reader: DocumentReader, at index: Int, depth: Int) throws -> [String: Value] {
        let entries = reader.state.pointee.entries
        guard entries[index].kind == Token.object else {
            throw reader.containerMismatch([String: Any].self, "keyed", at: index, depth: depth)
        }
        let count = entries.memberCount(of: index)
        var members: [String: Value] = [:]
        members.reserveCapacity(Swift.min(count, 1 + 262_144 / (MemoryLayout<Value>.stride + 16)))
        // Foundation decodes these itself only when it converts names; both ways have their marks, which are kept here: the
        // keys in coding paths, and whether a second member with a name is looked at.
        let isConverting = !reader.session.keys.isNone
        let element = isConverting ? PathNode.plainName : PathNode.integerName
        var child = index &+ 1
        for _ in 0..<count {
            let key = reader.string(reader.state.pointee.entries[child])
            do {
                let value = try reader.value(Value.self, at: child &+ 1, depth: depth &+ 1, element: element)
                // Of several members with one name the first counts.
                if let first = members.updateValue(value, forKey: key) { members[key] = first }
            } catch {
                if isConverting || members[key] == nil { throw error }
            }
            child = reader.state.pointee.entries.next(after: child &+ 1)
        }
        return members
    }
}

extension DocumentReader {
    @inline(__always)
    private func elements<Element>(
        at index: Int, depth: Int, _ decode: (_ child: Int, _ element: Int) throws -> Element
    ) throws -> [Element] {
        let entries = state.pointee.entries
        guard entries[index].kind == Token.array else {
            throw containerMismatch([Any].self, "unkeyed", at: index, depth: depth)
        }
        let count = entries.memberCount(of: index)
        return try [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            // Elements that are not containers take one entry each; containers make `decode` throw.
            while initialized < count {
                (base + initialized).initialize(to: try decode(index &+ 1 &+ initialized, initialized))
                initialized &+= 1
            }
        }
    }

    @inline(never) fileprivate func strings(at index: Int, depth: Int) throws -> [String] {
        try elements(at: index, depth: depth) { try string(at: $0, depth: depth &+ 1, element: $1) }
    }

    @inline(never) fileprivate func integers(at index: Int, depth: Int) throws -> [Int] {
        try elements(at: index, depth: depth) { try integer(Int.self, at: $0, depth: depth &+ 1, element: $1) }
    }

    @inline(never) fileprivate func doubles(at index: Int, depth: Int) throws -> [Double] {
        try elements(at: index, depth: depth) { try double(at: $0, depth: depth &+ 1, element: $1) }
    }
}
