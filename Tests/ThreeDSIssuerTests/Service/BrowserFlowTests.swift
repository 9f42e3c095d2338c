import Cryptography
import Localization
import Storage
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

@Suite(.onAnyStore) struct `A card payment in a browser` {
    @Test func `is approved on the person's device`() async throws {
        for version in ProtocolVersion.allCases {
            let shopper = try await Shopper.new(version)
            let handle = try await shopper.enter()
            let page = try await shopper.text(of: handle)
            #expect(page.contains("47.11 EUR"))
            #expect(!page.contains("cres"))
            #expect(try await state(of: handle, shopper) == .pending)
            shopper.world.verifier.approve(shopper.acsTransID)
            try await shopper.world.work()
            #expect(try await state(of: handle, shopper) == .over)
            // Loaded again, it brings the same.
            for _ in 0..<2 {
                let (message, data) = try await shopper.result(of: handle)
                #expect(message["transStatus"]?.text == "Y")
                #expect(data == "c2Vzc2lvbg")
            }
            let results = shopper.world.directory.results
            #expect(results.count == 1)
            #expect(results.first?["transStatus"]?.text == "Y")
        }
    }

    @Test func `wakes the page when the result is acknowledged`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        async let state = shopper.world.service.state(
            of: handle,
            showing: .pending,
            within: .seconds(60)
        )
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await state == .over)
    }

    @Test func `is requested as soon as the verifier can be reached`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.verifier.set(number: "47")
        let shopper = try await Shopper(world)
        world.verifier.set(isReachable: false)
        let handle = try await shopper.enter()
        let page = try await shopper.text(of: handle)
        #expect(page.contains(#"data-state="unsent""#))
        #expect(page.contains(">\(IssuerText.notRequested.text(in: .english))</p>"))
        #expect(try await state(of: handle, shopper) == .unsent)
        // The page has no other way than to look at its state.
        for _ in 0..<50 {
            world.advance(seconds: 10)
            try await world.work()
        }
        #expect(try await state(of: handle, shopper) == .unsent)
        world.verifier.set(isReachable: true)
        world.advance(seconds: 60)
        try await world.work()
        #expect(try await state(of: handle, shopper) == .pending)
        #expect(try await shopper.text(of: handle).contains(">47<"))
        // The person cannot approve after the end of the challenge, so less time is left.
        let content = try #require(try world.verifier.content(shopper.acsTransID))
        guard case .number(let seconds)? = content["seconds"] else { throw Shopper.Unexpected() }
        #expect(seconds.integer(Int.self) == 40)
        world.verifier.approve(shopper.acsTransID)
        try await world.work()
        #expect(world.directory.results.first?["transStatus"]?.text == "Y")
    }

    @Test func `requests an approval within the time that the policy allows`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.verifier.set(
            readiness: #"""
                {"ready":true,"muted":false,"authentication":["userPIN"],"transactionSeconds":45}
                """#
        )
        let shopper = try await Shopper(world)
        _ = try await shopper.enter()
        let content = try #require(try world.verifier.content(shopper.acsTransID))
        guard case .number(let seconds)? = content["seconds"] else { throw Shopper.Unexpected() }
        #expect(seconds.integer(Int.self) == 45)
    }

    @Test(arguments: [true, false])
    func `ends with an error if its first CReq is late`(_ isClockRead: Bool) async throws {
        let shopper = try await Shopper.new()
        shopper.world.advance(seconds: 30)
        if isClockRead { for _ in 0..<2 { try await shopper.world.work() } }
        for _ in 0..<2 {
            let error = try await shopper.error(of: shopper.form())
            #expect(error["errorCode"]?.text == "402")
        }
        for _ in 0..<2 { try await shopper.world.work() }
        #expect(shopper.world.directory.results.first?["challengeCancel"]?.text == "05")
    }

    @Test func `returns with an error if the directory has no result in time`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        shopper.world.directory.set(isReachable: false)
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        shopper.world.advance(seconds: 600)
        try await shopper.world.work()
        #expect(try await state(of: handle, shopper) == .over)
        let (message, _) = try await shopper.result(of: handle)
        #expect(message["messageType"]?.text == "Erro" && message["errorCode"]?.text == "403")
        shopper.world.directory.set(isReachable: true)
        shopper.world.advance(seconds: 3600)
        try await shopper.world.work()
        #expect(shopper.world.directory.results.map { $0["transStatus"]?.text } == ["Y"])
    }

    @Test func `shows the number that the person types`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        world.verifier.set(number: "47")
        let shopper = try await Shopper(world)
        let handle = try await shopper.enter()
        #expect(try await shopper.text(of: handle).contains(">47<"))
    }

    @Test func `has a link to the web device only if the operator named one`() async throws {
        let address = "https://approve.bank.example/approve/"
        for device in [nil, WebAddress(address, isSandbox: false)] {
            let world = try await IssuerWorld { $0.webDevice = device }
            try await world.addCard()
            let shopper = try await Shopper(world)
            let page = try await shopper.text(of: shopper.enter())
            #expect(page.contains(#"<a href="\#(address)" target="_blank""#) == (device != nil))
        }
    }

    @Test func `SEC-88: has no address that the store reveals`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let handle = try await (try await Shopper(world)).enter()
        let pages = try await world.store.database.read { connection throws(StoreFailure) in
            let select = Statement("SELECT \([Column.page]) FROM authentications")
            return try connection.rows(select, []).map { row throws(StoreFailure) in
                try row[.page].text
            }
        }
        #expect(pages == [try handle.stored()])
        #expect(!pages[0].contains(handle.text))
        #expect(PageHandle(pages[0]) == nil)
    }

    @Test func `shows later payments, also after the request was sent once more`() async throws {
        let world = try await IssuerWorld()
        try await world.addCard()
        let terms = [
            "threeDSRequestorAuthenticationInd": #""03""#, "purchaseInstalData": #""24""#,
            "recurringFrequency": #""30""#, "recurringExpiry": #""20281231""#,
        ]
        let shopper = try await Shopper(world, SampleRequest(.twoTwo, .browser, .payment, terms))
        let handle = try await shopper.enter()
        for _ in 1...2 {
            let page = try await shopper.text(of: handle)
            #expect(page.contains("<dd>at least 30 days apart, until 2028-12-31</dd>"))
            #expect(page.contains("<dt>Instalments</dt><dd>24</dd>"))
            world.verifier.end(shopper.acsTransID, as: #""state":"expired""#)
            try await world.work()
        }
    }

    @Test(
        arguments: [
            (.twoTwo, ["browserLanguage": "de"], .german),
            (.twoTwo, ["browserLanguage": "DE-ch"], .german),
            (.twoTwo, ["browserLanguage": "en-GB"], .english),
            (.twoTwo, ["browserLanguage": "fr"], .german),
            (.twoTwo, ["browserLanguage": "x"], .german),
            (.twoThree, ["browserLanguage": "fr", "acceptLanguage": "en-US,de"], .english),
            (.twoThree, ["browserLanguage": "de-AT", "acceptLanguage": "en"], .german),
            (.twoThree, ["browserLanguage": "fr", "acceptLanguage": "fr"], .german),
        ] as [(ProtocolVersion, [String: String], Language)]
    )
    func `is in the language of the browser, or else of the issuer`(
        _ version: ProtocolVersion,
        _ languages: [String: String],
        _ expected: Language
    ) async throws {
        let world = try await IssuerWorld { $0.language = .german }
        try await world.addCard()
        var elements = languages.mapValues { "\"\($0)\"" }
        elements["acceptLanguage"] = languages["acceptLanguage"].map {
            "[\($0.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ","))]"
        }
        let request = SampleRequest(version, .browser, .payment, elements)
        let shopper = try await Shopper(world, request)
        let handle = try await shopper.enter()
        let start = #"<!doctype html><html lang="\#(expected.rawValue)">"#
        let page = try await shopper.text(of: handle)
        #expect(page.hasPrefix(start))
        #expect(page.contains("<title>\(IssuerText.header.text(in: expected))</title>"))
        world.verifier.approve(shopper.acsTransID)
        try await world.work()
        #expect(try await shopper.text(of: handle).hasPrefix(start))
    }

    @Test func `is cancelled with the button`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        #expect(try await shopper.press(.cancel, on: handle) != nil)
        for _ in 0..<2 { try await shopper.world.work() }
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "N")
        #expect(shopper.world.verifier.isWithdrawn)
        #expect(shopper.world.directory.results.first?["challengeCancel"]?.text == "01")
    }

    @Test func `SEC-88: changes nothing without the token of the page`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        // Another shopper at the same ACS, with its keys.
        let changes = ["dsTransID": #""4317fdc3-ad24-5443-8000-000000000892""#]
        let request = SampleRequest(.twoTwo, .browser, .payment, changes)
        let other = try await Shopper(shopper.world, request)
        let foreign = try await other.token(of: other.enter())
        for body in ["", "token=", "token=x", "token=\(foreign)"] {
            let response = try await shopper.world.service.response(
                to: .cancel,
                on: handle,
                form: Array(body.utf8)
            )
            guard case .page(let page) = response else { throw Shopper.Unexpected() }
            #expect(page.status == 404)
        }
        try await shopper.world.work()
        #expect(!shopper.world.verifier.isWithdrawn)
        // Each token is right on its own page.
        for shopper in [other, shopper] {
            #expect(try await shopper.press(.cancel, on: shopper.enter()) != nil)
        }
    }

    @Test func `returns to the shop when the time is over`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        shopper.world.advance(seconds: 600)
        for _ in 0..<3 { try await shopper.world.work() }
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "N")
        #expect(shopper.world.directory.results.first?["challengeCancel"]?.text == "04")
    }

    @Test func `SEC-88: posts nothing more to the shop after its end`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
        shopper.world.advance(seconds: 600)
        try await shopper.world.work()
        let page = try await shopper.world.service.page(handle)
        #expect(page.status == 404)
        #expect(!String(decoding: page.body, as: UTF8.self).contains("<form"))
    }

    @Test func `finds its challenge by an identifier in capitals`() async throws {
        let shopper = try await Shopper.new()
        let form = try shopper.form(["acsTransID": #""\#(shopper.acsTransID.uppercased())""#])
        guard case .redirection = try await shopper.world.service.response(toForm: form) else {
            throw Shopper.Unexpected()
        }
    }

    @Test func `takes the same form again, and no other`() async throws {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        #expect(try await shopper.enter() == handle)
        let forms = [
            try shopper.form(["challengeWindowSize": #""03""#]), try shopper.form(sessionData: "b"),
            try shopper.form(sessionData: nil),
            // A stranger who saw the identifiers could send a malformed one.
            try shopper.form(["challengeWindowSize": #""09""#]),
        ]
        for form in forms {
            guard case .page(let page) = try await shopper.world.service.response(toForm: form)
            else { throw Shopper.Unexpected() }
            #expect(String(decoding: page.body, as: UTF8.self).contains("cres"))
        }
        // The challenge goes on.
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
    }

    @Test func `leads to its last page for the same form again, and at its end to an error`()
        async throws
    {
        let shopper = try await Shopper.new()
        let handle = try await shopper.enter()
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await shopper.enter() == handle)
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
        shopper.world.advance(seconds: 600)
        try await shopper.world.work()
        guard
            case .page(let page) = try await shopper.world.service.response(
                toForm: shopper.form()
            )
        else { throw Shopper.Unexpected() }
        let (error, data) = try shopper.result(in: String(decoding: page.body, as: UTF8.self))
        #expect(error["messageType"]?.text == "Erro" && error["errorCode"]?.text == "305")
        #expect(error["acsTransID"]?.text == shopper.acsTransID && data == "c2Vzc2lvbg")
        #expect(String(decoding: page.body, as: UTF8.self).contains("https://shop.example/done"))
        #expect(shopper.world.directory.results.count == 1)
    }

    @Test(arguments: [(ProtocolVersion.twoTwo, "305", "305"), (.twoThree, "305", "315")])
    func `states by the error whether the challenge goes on`(
        version: ProtocolVersion,
        before: String,
        after: String
    ) async throws {
        let shopper = try await Shopper.new(version)
        let other = try shopper.form(["challengeWindowSize": #""03""#])
        func error(_ form: [UInt8]) async throws -> String? {
            guard case .page(let page) = try await shopper.world.service.response(toForm: form)
            else { throw Shopper.Unexpected() }
            let (error, _) = try shopper.result(in: String(decoding: page.body, as: UTF8.self))
            return error["errorCode"]?.text
        }
        let handle = try await shopper.enter()
        #expect(try await error(other) == before)
        shopper.world.verifier.approve(shopper.acsTransID)
        try await shopper.world.work()
        #expect(try await error(other) == after)
        #expect(try await shopper.result(of: handle).0["transStatus"]?.text == "Y")
        shopper.world.advance(seconds: 600)
        try await shopper.world.work()
        #expect(try await error(try shopper.form()) == after)
    }

    @Test(arguments: [(256, 200), (257, 200), (2048, 200), (2049, 400)])
    func `ends the 3DS Method at an address of each length`(
        count: Int,
        status: Int
    ) async throws {
        let world = try await IssuerWorld()
        let start = "https://shop.example/"
        let address = start + String(repeating: "a", count: count - start.count)
        let data = Array(
            """
            {"threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-b08d1690b26e",\
            "threeDSMethodNotificationURL":"\(address)"}
            """.utf8
        )
        let form = Array("threeDSMethodData=\(TextEncoding.base64URL.encode(data.span))".utf8)
        let page = try world.service.methodPage(form: form)
        #expect(page.status == status)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains(address) == (status == 200))
    }

    @Test func `has a page of words for a form that names no challenge`() async throws {
        let shopper = try await Shopper.new()
        let unknown = #""9c8d2b8f-5c0e-4a0b-8d4e-4f9d4a1c2b3d""#
        let forms = [
            Array("creq=%%%".utf8), Array("a=b".utf8), [], try shopper.form(sessionData: "%00"),
            try shopper.form(["acsTransID": unknown]), try shopper.form(["acsTransID": "5"]),
        ]
        for form in forms {
            guard case .page(let page) = try await shopper.world.service.response(toForm: form)
            else { throw Shopper.Unexpected() }
            #expect(page.status == 400)
        }
        let handle = try #require(PageHandle("AAAAAAAAAAAAAAAAAAAAAA"))
        #expect(try await shopper.world.service.page(handle).status == 404)
        #expect(try await state(of: handle, shopper) == nil)
    }

    @Test func `brings an error to the shop for a form with a fault`() async throws {
        let shopper = try await Shopper.new()
        let form = try shopper.form(["challengeWindowSize": #""09""#])
        guard case .page(let page) = try await shopper.world.service.response(toForm: form)
        else { throw Shopper.Unexpected() }
        let text = String(decoding: page.body, as: UTF8.self)
        let cres = try #require(text.firstMatch(of: /name="cres" value="([^"]+)"/)?.1)
        let bytes = try TextEncoding.base64URL.decode(String(cres))
        let message = try JSONValue(reading: bytes, limits: .message)
        #expect(message["errorCode"]?.text == "203")
        #expect(message["errorDetail"]?.text == "challengeWindowSize")
    }
}

private func state(of handle: PageHandle, _ shopper: Shopper) async throws -> PageState? {
    try await shopper.world.service.state(of: handle, showing: nil, within: .zero)
}
