import Localization
import Testing
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The challenge page` {
    private func form(_ action: String, _ label: String, _ attributes: String = "") -> String {
        let input = #"<input type="hidden" name="token" value="\#(SamplePage.token)">"#
        return #"<form method="post" action="\#(SamplePage.handle)/\#(action)">\#(input)"#
            + "<button\(attributes)>\(label)</button></form>"
    }

    @Test func `shows the purchase, its status and the ways on`() throws {
        var page = try SamplePage.waiting(shop: #"Tom & "Co" <1>"#)
        page.number = "047"
        page.device = WebAddress("https://bank.example/approve/", isSandbox: false)
        let main = try page.page(in: SamplePage.context()).content(of: "main")
        let expected = [
            "<h1>Approve on your device</h1><p>Approve the request on your device only if it ",
            "shows the same as this page.</p><dl>",
            "<dt>Amount</dt><dd>47.11 EUR</dd>",
            "<dt>Shop</dt><dd><bdi>Tom &amp; &quot;Co&quot; &lt;1&gt;</bdi></dd>",
            "<dt>Card</dt><dd>ending 4242</dd>",
            #"<dt>Time left</dt><dd><time datetime="PT272S">4:32</time></dd>"#,
            #"<dt>Number to type on your device</dt><dd class="number">047</dd></dl>"#,
            #"<p role="status" aria-live="polite" data-state="pending" "#,
            #"data-offline="Your bank cannot be reached. This page tries again.">Waiting for your approval.</p>"#,
            #"<a href="https://bank.example/approve/" target="_blank" rel="noopener noreferrer">"#,
            "Approve on this device</a>",
            form("continue", "I have approved", #" class="primary""#),
            form("again", "Ask my device again"), form("cancel", "Cancel the payment"),
        ].joined()
        #expect(main == expected)
    }

    @Test func `shows the payments that the shop can make later`() throws {
        var page = try SamplePage.waiting()
        page.laterPayments = LaterPayments(
            series: .init(
                sum: .fixed(try SampleWorld.euro(99900)),
                repeats: .init(minimumDays: 30, first: nil, last: "20310131"),
                instalments: 24
            )
        )
        let main = try page.page(in: SamplePage.context()).content(of: "main")
        let rows = [
            "</dd><dt>Later payments</dt><dd>999.00 EUR each</dd>",
            "<dt>Repeats</dt><dd>at least 30 days apart, until 2031-01-31</dd>",
            "<dt>Instalments</dt><dd>24</dd><dt>Card</dt>",
        ]
        #expect(main.contains(rows.joined()), "\(main)")
    }

    @Test func `has a link and a number only if there is one`() throws {
        let main = try SamplePage.waiting().page(in: SamplePage.context()).content(of: "main")
        #expect(!main.contains("<a "))
        #expect(!main.contains("number"))
    }

    @Test func `is in the language of the caller`() throws {
        let page = try SamplePage.waiting().page(in: SamplePage.context(.german))
        #expect(page.text.hasPrefix(#"<!doctype html><html lang="de"><head>"#))
        #expect(try page.content(of: "title") == "Auf Ihrem Gerät freigeben")
        let main = try page.content(of: "main")
        for text in ["Betrag", "Händler", "Endziffern 4242", "Restzeit", "Zahlung abbrechen"] {
            #expect(main.contains(">\(text)<"))
        }
    }

    @Test func `has the bank's heading, and images of the configuration alone`() throws {
        var page = try SamplePage.waiting()
        page.heading = LocalizedText("Pay <safely>", german: "Sicher <zahlen>")
        #expect(
            page.page(in: try SamplePage.context())["content-security-policy"]?
                .contains("img-src") == false
        )
        let bank = "https://www.bank.example:8443/a/logo.png?a=1&b=2"
        page.logos.issuer = Logo(try #require(WebAddress(bank, isSandbox: false)))
        page.logos.scheme = Logo(
            try #require(WebAddress("https://scheme.example", isSandbox: false))
        )
        let loaded = page.page(in: try SamplePage.context(.german))
        #expect(try loaded.content(of: "title") == "Sicher &lt;zahlen&gt;")
        let main = try loaded.content(of: "main")
        let start = [
            #"<p class="logos"><img src="https://www.bank.example:8443/a/logo.png?a=1&amp;b=2" alt="">"#,
            #"<img src="https://scheme.example" alt=""></p><h1>Sicher &lt;zahlen&gt;</h1>"#,
        ].joined()
        #expect(main.hasPrefix(start))
        let policy = try #require(loaded["content-security-policy"])
        let directives = policy.split(separator: "; ")
        #expect(
            directives.contains("img-src https://www.bank.example:8443 https://scheme.example")
        )
    }

    @Test func `confirms a card without an amount`() throws {
        let page = try SamplePage.waiting(cents: nil).page(in: SamplePage.context())
        let main = try page.content(of: "main")
        #expect(main.contains("<dl><dt>Purpose</dt><dd>Confirm your card</dd><dt>Shop</dt>"))
        #expect(main.contains("<button>Cancel</button>"))
        #expect(!main.contains("ayment"))
    }

    @Test func `reports that nothing notifies the person`() throws {
        var page = try SamplePage.waiting()
        page.isMuted = true
        let main = try page.page(in: SamplePage.context()).content(of: "main")
        let muted = "<p>Open your banking app: your device shows no notification.</p><p>Approve"
        #expect(main.contains(muted))
    }

    @Test(arguments: [
        (WaitingPage.Note.waiting, "Waiting for your approval."),
        (.notYet, "There is no result yet. Approve on your device, and continue."),
        (.notRequested, "Your bank cannot reach your device now. Continue in a moment."),
        (.askedAgain, "The request was sent to your device again."),
        (
            .askedTooSoon,
            "The request was sent to your device a moment ago. Please wait half a minute before you "
                + "ask again."
        ),
        (.notAskedAgain, "The request cannot be sent again. Open it on your device."),
    ])
    func `has the status after each form`(_ note: WaitingPage.Note, _ text: String) throws {
        var page = try SamplePage.waiting()
        page.note = note
        let main = try page.page(in: SamplePage.context()).content(of: "main")
        #expect(main.contains(">\(text)</p><form"))
    }

    @Test func `offers to ask again when the request expired, and nothing to approve`() throws {
        var page = try SamplePage.waiting()
        page.state = .expired
        page.note = .askedAgain
        page.device = WebAddress("https://bank.example/approve/", isSandbox: false)
        let main = try page.page(in: SamplePage.context()).content(of: "main")
        let expected = [
            #"<p role="status" aria-live="polite" data-state="expired" "#,
            #"data-offline="Your bank cannot be reached. This page tries again.">"#,
            "The request on your device has expired. You can have it sent once more.</p>",
            form("again", "Ask my device again", #" class="primary""#),
            form("cancel", "Cancel the payment"),
        ].joined()
        #expect(main.hasSuffix("</dl>" + expected))
    }

    @Test(arguments: [(272, "4:32"), (65, "1:05"), (600, "10:00"), (0, "0:00"), (-3, "0:00")])
    func `shows minutes and seconds`(_ seconds: Int, _ shown: String) throws {
        let page = try SamplePage.waiting(secondsLeft: seconds).page(in: SamplePage.context())
        #expect(try page.content(of: "time") == shown)
    }

    @Test func `loads itself again without scripts`() throws {
        let page = try SamplePage.waiting().page(in: SamplePage.context())
        #expect(try page.content(of: "noscript") == #"<meta http-equiv="refresh" content="5">"#)
        let head = try page.content(of: "head")
        #expect(head.hasSuffix("</noscript>"))
    }

    @Test(arguments: Language.allCases)
    func `has 8 KB at most, and its script 1 KB`(_ language: Language) throws {
        for shop in [#"""#, "𠀀", "<"] {
            let name = String(repeating: shop, count: Transaction.Payee.maximumNameLength)
            for cents in [UInt64?.none, Amount.maximumMinorUnits] {
                var page = try SamplePage.waiting(cents: cents, shop: name, secondsLeft: 5999)
                page.number = "123456"
                let address = "https://bank.example/?" + String(repeating: "&", count: 234)
                page.device = WebAddress(address, isSandbox: false)
                let image = WebAddress(String(address.prefix(128)), isSandbox: false)
                page.logos.issuer = image.map { Logo($0) }
                page.logos.scheme = page.logos.issuer
                page.heading = LocalizedText(
                    String(repeating: shop, count: 45),
                    german: String(repeating: shop, count: 45)
                )
                try #require(page.device != nil)
                page.isMuted = true
                for note in WaitingPage.Note.allCases {
                    page.note = note
                    let size = page.page(in: try SamplePage.context(language)).body.count
                    #expect(size <= 8 << 10)
                }
            }
        }
        #expect(waitingScript.utf8CodeUnitCount <= 1 << 10)
    }

    @Test func `SEC-87: is not printed with its number`() throws {
        var page = try SamplePage.waiting()
        page.number = "047"
        let response = page.page(in: try SamplePage.context())
        for value in [page, response] as [any Sendable] {
            var printed = ""
            dump(value, to: &printed)
            printed += "\(value)"
            #expect(!printed.contains("047"))
            #expect(!printed.contains(SamplePage.token))
        }
    }
}
