import ImagePipeline

/// What came of one input.
struct ToolReport: Sendable {
    var input: String
    var output: String?
    var thumbnail: Thumbnail?
    var milliseconds: Double
    var error: String?

    var line: String {
        guard let thumbnail else { return input }
        return "\(output ?? "-")  \(thumbnail.size)  \(thumbnail.data.count) bytes  \(milliseconds) ms"
    }

    var json: String {
        var fields = ["\"input\":\(Self.quoted(input))"]
        if let thumbnail {
            let source = thumbnail.source
            fields += [
                "\"output\":\(Self.quoted(output ?? "-"))", "\"width\":\(thumbnail.size.width)",
                "\"height\":\(thumbnail.size.height)", "\"source_width\":\(source.displaySize.width)",
                "\"source_height\":\(source.displaySize.height)", "\"format\":\"\(thumbnail.format.rawValue)\"",
                "\"orientation\":\(source.orientation.rawValue)", "\"bytes\":\(thumbnail.data.count)",
            ]
            if thumbnail.isPartial { fields.append("\"partial\":true") }
        }
        fields.append("\"milliseconds\":\(milliseconds)")
        if let error { fields.append("\"error\":\(Self.quoted(error))") }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// RFC 8259 section 7.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
