import APICore
import Foundation
import Testing

/// RFC 8288, section 3.5 and appendix B.
struct WebLinkTests {
    private static func link(_ target: String, _ relations: String..., parameters: [(String, String)] = []) -> WebLink {
        WebLink(
            target: target, relations: relations,
            parameters: parameters.map { WebLink.Parameter(name: $0.0, value: $0.1) })
    }

    static let cases: [(name: String, value: String, links: [WebLink])] = [
        (
            "section 3.5: title", #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
            [link("http://example.com/TheBook/chapter2", "previous", parameters: [("title", "previous chapter")])]
        ),
        (
            "section 3.5: extension relation", #"</>; rel="http://example.net/foo""#,
            [link("/", "http://example.net/foo")]
        ),
        (
            "section 3.5: anchor", ##"</terms>; rel="copyright"; anchor="#foo""##,
            [link("/terms", "copyright", parameters: [("anchor", "#foo")])]
        ),
        (
            "section 3.5: encoded titles",
            #"</TheBook/chapter2>; rel="previous"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel="next"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"#,
            [
                link("/TheBook/chapter2", "previous", parameters: [("title", "letztes Kapitel")]),
                link("/TheBook/chapter4", "next", parameters: [("title", "nächstes Kapitel")]),
            ]
        ),
        (
            "section 3.5: several relations", #"<http://example.org/>; rel="start http://example.net/relation/other""#,
            [link("http://example.org/", "start", "http://example.net/relation/other")]
        ),
        (
            "section 3.5: two links",
            #"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#,
            [link("https://example.org/", "start"), link("https://example.org/index", "index")]
        ),
        (
            "GitHub",
            #"<https://api.github.com/repositories/1/issues?page=2>; rel="next", <https://api.github.com/repositories/1/issues?page=7>; rel="last""#,
            [
                link("https://api.github.com/repositories/1/issues?page=2", "next"),
                link("https://api.github.com/repositories/1/issues?page=7", "last"),
            ]
        ),
        ("a relation without quotes", "</a>;rel=next", [link("/a", "next")]),
        ("relations compare without case", "</a>; REL=\"NEXT\"", [link("/a", "next")]),
        (
            "white space everywhere", " <  /a > ;\t rel =  next ; x = \"1\" ",
            [link("/a", "next", parameters: [("x", "1")])]
        ),
        (
            "commas and semicolons in targets and quotes", #"</a,b;c>; rel="next"; title="x, <y>; z""#,
            [link("/a,b;c", "next", parameters: [("title", "x, <y>; z")])]
        ),
        (
            "escapes in quotes", #"</a>; rel="next"; title="a\"b\\c""#,
            [link("/a", "next", parameters: [("title", "a\"b\\c")])]
        ),
        ("the first rel counts", "</a>; rel=next; rel=prev", [link("/a", "next")]),
        ("the first of a name counts", "</a>; rel=next; x=1; x=2", [link("/a", "next", parameters: [("x", "1")])]),
        (
            "title* comes before title", "</a>; rel=next; title=a; title*=UTF-8''b; title=c",
            [link("/a", "next", parameters: [("title", "b")])]
        ),
        (
            "a parameter without a value", "</a>; rel=next; crossorigin",
            [link("/a", "next", parameters: [("crossorigin", "")])]
        ),
        ("a link without rel", "</a>; x=1, </b>; rel=next", [link("/b", "next")]),
        ("empty members", ", ,</a>; rel=next,, </b>; rel=prev ,", [link("/a", "next"), link("/b", "prev")]),
        ("an empty target", "<>; rel=self", [link("", "self")]),
        ("text that is no link", "nonsense; rel=next, </b>; rel=prev", [link("/b", "prev")]),
        ("a target that does not end", "</a; rel=next", []),
        ("a quote that does not end", "</a>; rel=\"next", [link("/a", "next")]),
        (
            "a wrong extended value is left out",
            "</a>; rel=next; title*=latin1''x; title*=UTF-8''%zz; title*=UTF-8''%ff",
            [link("/a", "next")]
        ),
        ("nothing", "", []),
    ]

    @Test(arguments: cases) func links(_ example: (name: String, value: String, links: [WebLink])) {
        #expect(WebLink.links(in: example.value) == example.links)
    }

    @Test func linesOfAResponse() {
        let headers: HTTPHeaders = [.link: "</a>; rel=prev", .link: "</b>; rel=next; title=x"]
        let links = WebLink.links(in: headers)
        #expect(links.map(\.target) == ["/a", "/b"])
        #expect(links[1].hasRelation("Next") && links[1]["TITLE"] == "x")
    }

    @Test func fuzz() {
        var random = SeededGenerator(seed: 6)
        let pieces = [
            "<", ">", ";", ",", "=", "\"", "\\", "rel", "next", "title*", "UTF-8''", "%", "e4", " ", "é", "/a",
        ]
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<25, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            for link in WebLink.links(in: text) { #expect(!link.target.contains(">")) }
        }
    }
}
