import Testing
import ThreeDSIssuer
import ThreeDSProtocol

@Suite struct `The last page` {
    private func main(_ page: ResultPage) throws -> String {
        try page.page(in: SamplePage.context()).content(of: "main")
    }

    @Test func `sends the CRes and the session data to the shop`() throws {
        let expected = [
            "<h1>Back to the shop</h1><p>Your bank has finished. The shop shows the result.</p>",
            #"<form method="post" action="https://shop.example/done?a=1&amp;b=2">"#,
            #"<input type="hidden" name="cres" value="eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ">"#,
            #"<input type="hidden" name="threeDSSessionData" value="data">"#,
            #"<button class="primary">Continue</button></form>"#,
        ].joined()
        #expect(try main(SamplePage.result(sessionData: "data")) == expected)
    }

    @Test func `has no session data if the shop sent none`() throws {
        #expect(try !main(SamplePage.result()).contains("threeDSSessionData"))
    }

    @Test func `states that the time is over`() throws {
        var page = try SamplePage.result()
        page.isTimedOut = true
        let text = "<p>The time for the approval is over. The shop shows the result.</p>"
        #expect(try main(page).contains(text))
    }

    @Test func `sends an error under the same name`() throws {
        let main = try main(SamplePage.result(#"{"messageType":"Erro"}"#))
        #expect(main.contains(#"name="cres" value="eyJtZXNzYWdlVHlwZSI6IkVycm8ifQ""#))
    }

    @Test func `sends by its script at once`() throws {
        let page = try SamplePage.result().page(in: SamplePage.context())
        #expect(try page.content(of: "script") == "document.forms[0].submit()")
        #expect(
            page.text.hasSuffix(
                "</main><script nonce=\"\(SamplePage.nonce)\">"
                    + "document.forms[0].submit()</script></body></html>"
            )
        )
    }

    @Test func `has space for the longest message`() throws {
        let data = String(repeating: "\"", count: 1024)
        let message = String(repeating: "a", count: 4096)
        let page = try SamplePage.result(message, sessionData: data).page(in: SamplePage.context())
        #expect(page.body.count < 16 << 10)
    }
}
