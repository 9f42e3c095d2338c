import Testing

@testable import ThreeDSIssuer

@Suite struct `The fields of a page` {
    private let nonce = "'nonce-\(SamplePage.nonce)'"

    private func policies(isSandbox: Bool) throws -> [String?] {
        let context = try SamplePage.context(isSandbox: isSandbox)
        return try SamplePage.all(in: context).map { $0["content-security-policy"] }
    }

    @Test func `permit only the page's own style, script and forms`() throws {
        let (first, last) = (
            "default-src 'none'; style-src \(nonce); ", "; base-uri 'none'; frame-ancestors https:"
        )
        let script = "script-src \(nonce); "
        let notice = first + "form-action 'none'" + last
        #expect(
            try policies(isSandbox: false) == [
                first + script + "connect-src 'self'; form-action 'self'" + last,
                first + script + "form-action https:" + last, notice, notice, notice, notice,
            ]
        )
    }

    @Test func `permit shops of this machine in a sandbox`() throws {
        let shops = "https: http://localhost:* http://127.0.0.1:*"
        let policies = try policies(isSandbox: true).compactMap { $0 }
        #expect(policies.count == 6)
        #expect(policies.allSatisfy { $0.hasSuffix("frame-ancestors \(shops)") })
        #expect(policies.filter { $0.contains("form-action \(shops);") } == [policies[1]])
    }

    @Test func `are the same for every page, and have no cookie`() throws {
        for page in try SamplePage.all(in: SamplePage.context()) {
            #expect(
                page.fields.map(\.name) == [
                    "content-type", "cache-control", "referrer-policy", "x-content-type-options",
                    "permissions-policy", "content-security-policy",
                ]
            )
            #expect(page["content-type"] == "text/html; charset=utf-8")
            #expect(page["cache-control"] == "no-store")
            #expect(page["referrer-policy"] == "no-referrer")
            #expect(page["x-content-type-options"] == "nosniff")
            let features = try #require(page["permissions-policy"]).split(separator: ", ")
            #expect(features.count > 15)
            #expect(features.allSatisfy { $0.hasSuffix("=()") })
        }
    }

    @Test func `have the nonce of the style and of the script`() throws {
        for page in try SamplePage.all(in: SamplePage.context()) {
            let marked = page.text.matches(of: /<(style|script) nonce="([^"]*)">/)
            #expect(marked.allSatisfy { $0.2 == SamplePage.nonce })
            #expect(marked.count == page.text.matches(of: /<(?:style|script)/).count)
            #expect(marked.first?.1 == "style")
        }
    }

    @Test func `need fixed texts that cannot end their element`() {
        for text in [pageStyle, waitingScript, resultScript] {
            let text = "\(text)"
            #expect(!text.contains("</"))
            #expect(!text.contains("<!--"))
        }
    }
}
