import BankIntegration
import Foundation
import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite(.onAnyStore) struct `An activation of a web browser in the bank's API` {
    private static let path = BankClient.account + "/activations"

    @Test func `SEC-113: needs the permission of the policy`() async throws {
        let client = try await BankClient()
        let refused = try await client.call("POST", Self.path, #"{"web": true}"#, key: "one")
        #expect(refused.status == 422)
        #expect(refused.code == "policyForbids")
        #expect(refused.errors.map(\.pointer) == ["/web"])
        #expect(refused.errors[0].detail.contains("webDevices.allowed"))
        #expect(try await client.bank.count(of: .activationIssued) == 0)
        // The refused call had no effect, so its key is free.
        try await client.bank.setPolicy(Bank.webPolicy())
        let issued = try await client.call("POST", Self.path, #"{"web": true}"#, key: "one")
        #expect(issued.status == 201)
        #expect(issued["web"] == "1")
    }

    @Test func `needs a verifier that serves the page, unless it is for an app`() async throws {
        let bank = try await Bank(policy: Bank.webPolicy())
        let client = try await BankClient(bank, servesWebDevices: false)
        let refused = try await client.call("POST", Self.path, #"{"web": true}"#, key: "one")
        #expect(refused.status == 409)
        #expect(refused.code == "webDevicesNotServed")
        #expect(refused["title"]?.contains("server.web") == true)
        #expect(try await bank.count(of: .activationIssued) == 0)
        // The refused call had no effect, so its key is free.
        let app = try await client.call("POST", Self.path, #"{"web": false}"#, key: "one")
        #expect(app.status == 201)
    }

    @Test(arguments: [#"{"web": 1}"#, #"{"web": null}"#, #"{"web": "true"}"#, #"{"webb": true}"#])
    func `has a strict member`(_ content: String) async throws {
        let client = try await BankClient(policy: Bank.webPolicy())
        let refused = try await client.call("POST", Self.path, content, key: "one")
        #expect(refused.status == 422)
        #expect(refused.code == "invalidContent")
    }

    @Test func `is a link for the camera of a phone, with the code only if the policy wants it`()
        async throws
    {
        let origin = try ServedBank.origin.unwrapped().text
        for joinsCode in [false, true] {
            let policy = Bank.webPolicy().dropLast() + #", "codeInActivationURI": \#(joinsCode)}"#
            let client = try await BankClient(policy: String(policy))
            let issued = try await client.call("POST", Self.path, #"{"web": true}"#, key: "one")
            let id = try #require(issued["id"])
            let code = try #require(issued["code"])
            let link = "\(origin)/approve/#activation=\(id)"
            #expect(issued["uri"] == (joinsCode ? "\(link)&code=\(code)" : link))
            let shown = try await client.call("GET", "\(Self.path)/\(id)")
            #expect(shown["web"] == "1")
            #expect(shown["uri"] == nil)
            for kind in ["svg", "txt"] {
                let image = try await client.call("GET", "\(Self.path)/\(id)/qr.\(kind)")
                #expect(image.status == 200)
            }
            let picture = try await client.call("GET", "\(Self.path)/\(id)/qr.txt").text
            let expected = QRCode(try #require(issued["uri"]))?.text
            #expect(picture == expected)
        }
    }

    @Test func `is for an app without the member`() async throws {
        let client = try await BankClient(policy: Bank.webPolicy())
        for (content, key) in [("{}", "one"), (#"{"web": false}"#, "two")] {
            let issued = try await client.call("POST", Self.path, content, key: key)
            #expect(issued["web"] == "0")
            #expect(issued["uri"]?.hasPrefix("countersign-activation:1?") == true)
        }
        let changed = try await client.call("POST", Self.path, #"{"web": true}"#, key: "one")
        #expect(changed.code == "idempotencyKeyReused")
    }

    @Test func `SEC-113: makes a device of the kind web, whose typed codes are refused`()
        async throws
    {
        let client = try await BankClient(policy: Bank.webPolicy())
        let (app, web) = (try await client.bank.activate(), try await client.bank.activateBrowser())
        let list = try await client.call("GET", BankClient.account + "/devices")
        let found = try JSONDecoder().decode(DeviceList.self, from: Data(list.body)).devices
        #expect(found.first { $0.id == app.id }?.kind == .installation)
        #expect(found.first { $0.id == web.id }?.kind == .web)
        let device = "\(BankClient.account)/devices/\(web.id)"
        #expect(try await client.call("GET", device)["kind"] == "web")
        let codes = (
            try await web.typedCode(in: client.bank),
            try await web.typedCode(ahead: 1, in: client.bank)
        )
        let pair = #"{"first": "\#(codes.0)", "second": "\#(codes.1)"}"#
        let refused = try await client.call(
            "POST",
            device + "/resynchronisation",
            as: .customerService,
            pair,
            key: "one"
        )
        #expect(refused.status == 403)
        #expect(refused.code == "authenticationTypeNotAllowed")
    }
}
