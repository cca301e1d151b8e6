/// An sRGB colour with straight alpha, 8 bits a component.
public struct RGBAColor: Sendable, Hashable {
    /// 0 to 255.
    public var red: UInt8
    /// 0 to 255.
    public var green: UInt8
    /// 0 to 255.
    public var blue: UInt8
    /// 0 (clear) to 255 (opaque).
    public var alpha: UInt8

    /// A colour of its components; opaque unless said otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Reads `RRGGBB` or `RRGGBBAA` in hexadecimal, with or without a leading `#`; nil for anything else.
    public init?(hex text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else { return nil }
        let rgba = digits.utf8.count == 6 ? value << 8 | 0xFF : value
        red = UInt8(rgba >> 24)
        green = UInt8(rgba >> 16 & 255)
        blue = UInt8(rgba >> 8 & 255)
        alpha = UInt8(rgba & 255)
    }

    /// Opaque white.
    public static let white = RGBAColor(red: 255, green: 255, blue: 255)
    /// Opaque black.
    public static let black = RGBAColor(red: 0, green: 0, blue: 0)
    /// Fully transparent.
    public static let clear = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)

    var isGray: Bool { red == green && green == blue }
}
