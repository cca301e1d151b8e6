import Foundation
import Testing

/// "hello, coded world" in each content coding, made with the reference tools.
struct Coded: Sendable, CustomTestStringConvertible {
    let name: String
    let coding: String
    let base64: String

    var testDescription: String { name }
    var bytes: Data { Data(base64Encoded: base64) ?? Data() }

    static let all = [
        Coded(
            name: "gzip", coding: "gzip",
            base64: "H4sIAAAAAAAC/8tIzcnJ11FIzk9JTVEozy/KSQEA3+iAlhIAAAA="),
        Coded(
            name: "x-gzip", coding: "x-gzip",
            base64: "H4sIAAAAAAAC/8tIzcnJ11FIzk9JTVEozy/KSQEA3+iAlhIAAAA="),
        Coded(
            name: "deflate (zlib)", coding: "deflate",
            base64: "eJzLSM3JyddRSM5PSU1RKM8vykkBAD5ZBqg="),
        Coded(
            name: "deflate (raw)", coding: "deflate",
            base64: "y0jNycnXUUjOT0lNUSjPL8pJAQA="),
        Coded(
            name: "br", coding: "br",
            base64: "iwiAaGVsbG8sIGNvZGVkIHdvcmxkAw=="),
        Coded(
            name: "zstd", coding: "zstd",
            base64: "KLUv/SASkQAAaGVsbG8sIGNvZGVkIHdvcmxk"),
        Coded(
            name: "deflate, then gzip", coding: "deflate, gzip",
            base64: "H4sIAAAAAAAC/6uYc9rj7MmT1wM9zvl7+gZqnNc/5cnIYBfJtgIAU6LZpBoAAAA="),
    ]

    static let gzip = all[0].bytes

    /// RFC 1952 section 2.2 allows it, libcurl does not know it.
    static let twoMembers = Coded(
        name: "gzip in two members", coding: "gzip",
        base64: "H4sIAAAAAAAC/8tIzcnJ11EAAJlW6hEHAAAAH4sIAAAAAAAC/0vOT0lNUSjPL8pJAQDB69mfCwAAAA==")

    /// Twenty million zeros, coded with gzip twice.
    static let bomb = Coded(
        name: "bomb", coding: "gzip, gzip",
        base64: """
            H4sIAAAAAAAC/+3bsQpBARgF4HsxyIDdQJkNNotiMSuZ5QE8AyWT5S5eA6/gDWxSBg8gg2LC5XoK3b5v+uczns5fXeaDRCa+7MLw\
            e8yi9+aaLwQAAABAys2O82xSBgS1+NDrDwEAAIC0G5eKuV8p8BxVuuIAAACA1Fu0W+XfQuA2neTEAQAAAKm3epyjpAro7OPDehv6\
            mgAAgD93yrwG93rQaIYfWJnnFAlMAAA=
            """)
}
