#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How values of a type are decoded and encoded.
enum TypeKind: UInt8 {
    /// By the type itself.
    case plain
    case string, bool, int, double, float
    case date, data, url, decimal
    /// Arrays that are decoded without asking the element's type for every element.
    case stringArray, intArray, doubleArray
    /// Other arrays, see `ArrayDecodable`.
    case array
    /// Dictionaries with `String` keys, whose names are not converted, see `StringDictionaryDecodable`.
    case stringDictionary

    /// Slow: `TypeKindCache` remembers it.
    static func classify<T>(_ type: T.Type) -> TypeKind {
        if type == String.self { return .string }
        if type == Bool.self { return .bool }
        if type == Int.self { return .int }
        if type == Double.self { return .double }
        if type == Float.self { return .float }
        if type == Date.self { return .date }
        if type == Data.self { return .data }
        if type == URL.self { return .url }
        if type == Decimal.self { return .decimal }
        if type == [String].self { return .stringArray }
        if type == [Int].self { return .intArray }
        if type == [Double].self { return .doubleArray }
        if type is any ArrayDecodable.Type { return .array }
        if type is any StringDictionaryDecodable.Type || type is any StringDictionaryEncodable.Type {
            return .stringDictionary
        }
        return .plain
    }
}

/// The kinds of the types met lately. The owner calls `deallocate()`.
struct TypeKindCache {
    struct Entry {
        fileprivate var type: UnsafeRawPointer?
        var kind = TypeKind.plain
        /// The type, if it is of the kind: casting to it costs as much as decoding a small array.
        var array: (any ArrayDecodable.Type)?
        var dictionary: (any StringDictionaryDecodable.Type)?
    }

    private static let capacity = 256
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(), count: Self.capacity)
    }

    func deallocate() {
        entries.deallocate()
    }

    @inline(__always)
    func entry<T>(of type: T.Type) -> UnsafeMutablePointer<Entry> {
        let address = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
        // The upper bits of a product depend on all bits of the address.
        let hash = (UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15) &>> 56
        let entry = entries + Int(hash)
        if entry.pointee.type != address { Self.fill(entry, type, address) }
        return entry
    }

    @inline(never)
    private static func fill<T>(_ entry: UnsafeMutablePointer<Entry>, _ type: T.Type, _ address: UnsafeRawPointer) {
        entry.pointee = Entry(
            type: address, kind: TypeKind.classify(type), array: type as? any ArrayDecodable.Type,
            dictionary: type as? any StringDictionaryDecodable.Type)
    }
}
