import Localization
import Testing
import ThreeDSIssuer

@Suite struct `A page of words` {
    @Test(arguments: [
        (NoticePage.malformedRequest, 400, "The request cannot be read", "Die Anfrage ist nicht"),
        (.unknownHandle, 404, "There is no request at this address", "Unter dieser Adresse gibt"),
        (.unavailable(pageOf: nil), 503, "Your bank is not available", "Ihre Bank ist nicht"),
    ])
    func `has a status and a reason`(
        _ notice: NoticePage,
        _ status: Int,
        _ english: String,
        _ german: String
    ) throws {
        let page = notice.page(in: try SamplePage.context())
        #expect(page.status == status)
        #expect(try page.content(of: "h1") == english)
        let other = notice.page(in: try SamplePage.context(.german))
        #expect(try other.content(of: "h1").hasPrefix(german))
    }

    @Test func `is exactly this`() throws {
        let page = NoticePage.malformedRequest.page(in: try SamplePage.context())
        let style = try page.content(of: "style")
        let expected = [
            #"<!doctype html><html lang="en"><head><meta charset="utf-8">"#,
            #"<meta name="viewport" content="width=device-width,initial-scale=1">"#,
            "<title>The request cannot be read</title>",
            #"<style nonce="\#(SamplePage.nonce)">\#(style)</style></head><body><main>"#,
            "<h1>The request cannot be read</h1><p>Your bank cannot read the request of the shop. ",
            "You have approved nothing. Go back to the shop, and try again.</p></main></body></html>",
        ].joined()
        #expect(page.text == expected)
    }

    @Test func `sends nothing, and links only to the page of its handle`() throws {
        for notice in [
            NoticePage.malformedRequest, .unknownHandle, .unavailable(pageOf: nil),
        ] {
            let page = notice.page(in: try SamplePage.context())
            for element in ["<form", "<script", "<a", "refresh"] {
                #expect(!page.text.contains(element))
            }
        }
        let page = NoticePage.unavailable(pageOf: PageHandle(SamplePage.handle))
            .page(in: try SamplePage.context())
        let link = #"<a href="/3ds/page/\#(SamplePage.handle)">Try again</a>"#
        #expect(try page.content(of: "main").hasSuffix(link))
    }
}
