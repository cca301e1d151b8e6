/// The errors, which are those Foundation's decoder throws, with the place in the text underneath.
extension DocumentReader {
    /// The value is null or of another kind.
    @inline(never)
    func mismatchOrNull(_ type: any Any.Type, at index: Int, depth: Int, element: Int?) -> DecodingError {
        guard isNull(at: index) else { return typeMismatch(type, at: index, depth: depth, element: element) }
        let message = "Cannot get value of type \(type) -- found null value instead"
        return .valueNotFound(type, context(message, at: index, depth: depth, element: element))
    }

    @inline(never)
    func containerMismatch(_ type: any Any.Type, _ container: String, at index: Int, depth: Int) -> DecodingError {
        guard isNull(at: index) else { return typeMismatch(type, at: index, depth: depth, element: nil) }
        let message = "Cannot get \(container) decoding container -- found null value instead"
        return .valueNotFound(type, context(message, at: index, depth: depth, element: nil))
    }

    @inline(never)
    func typeMismatch(_ type: any Any.Type, at index: Int, depth: Int, element: Int?) -> DecodingError {
        let found = state.pointee.entries[index].kindDescription
        let message = "Expected to decode \(type) but found \(found) instead."
        return .typeMismatch(type, context(message, at: index, depth: depth, element: element))
    }

    /// The number does not fit the type. As in Foundation the coding path is empty; the message has it.
    @inline(never)
    func notRepresentable(_ type: any Any.Type, at index: Int, depth: Int, element: Int?) -> DecodingError {
        let text = String(decoding: text(of: state.pointee.entries[index]).prefix(64), as: UTF8.self)
        let found = context("", at: index, depth: depth, element: element)
        let path = found.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        let place = path.isEmpty ? "" : " at \(path)"
        return .dataCorrupted(
            .init(
                codingPath: [], debugDescription: "Number \(text)\(place) is not representable as \(type).",
                underlyingError: found.underlyingError))
    }

    @inline(never)
    func corrupted(_ message: String, at index: Int, depth: Int) -> DecodingError {
        .dataCorrupted(context(message, at: index, depth: depth, element: nil))
    }

    /// An object has no such member.
    @inline(never)
    func keyNotFound(_ key: some CodingKey, in object: Int, depth: Int) -> DecodingError {
        let message = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, context(message, at: object, depth: depth, element: nil))
    }

    /// - Parameter element: Nil if the value is the one a decoder or container was made for, which is noted already.
    func context(_ message: String, at index: Int, depth: Int, element: Int?) -> DecodingError.Context {
        if let element, depth > 0 { noteNode(index, depth: depth, element: element) }
        let location = session.location(ofByte: sourceOffset(of: index))
        return .init(
            codingPath: path(to: index, depth: depth), debugDescription: message,
            underlyingError: JSONLocatedError(location: location))
    }

    private func noteNode(_ index: Int, depth: Int, element: Int) {
        // Scalars are not noted when they are decoded; single value containers decode one that is.
        let known = state.pointee.nodes[depth]
        if Int(known.index) != index { state.pointee.nodes[depth] = PathNode(index: index, element: element) }
    }

    /// The offset of a value's first byte.
    private func sourceOffset(of index: Int) -> Int {
        let entry = state.pointee.entries[index]
        return entry.isString ? entry.offset - 1 : entry.offset
    }
}
