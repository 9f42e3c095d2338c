import BankIntegration
import HTTPServer
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

extension BankRoute: CustomTestStringConvertible {
    package var testDescription: String { "\(method.rawValue) \(path.text)" }

    /// With existing names, except for the given ones.
    func target(_ others: [PathName: String] = [:]) -> String {
        PathName.allCases.reduce(path.text) { text, name in
            text.replacing("{\(name.rawValue)}", with: others[name] ?? name.sample)
        }
    }

    /// A role with the scope of the route, and one without.
    var role: BankToken.Role {
        BankToken.Role.allCases.first { $0.scopes.contains(scope) } ?? .issuer
    }
    var otherRole: BankToken.Role? {
        BankToken.Role.allCases.first { !$0.scopes.contains(scope) }
    }
}

extension PathName {
    fileprivate var sample: String {
        switch self {
        case .enterprise: "bank"
        case .accountType, .otherType: "main"
        case .accountID: "4711"
        case .otherID: "4712"
        case .activation: "0123456789"
        case .device: "00112233445566778899aabbccddeeff"
        case .credential: "user"
        case .transaction, .login: "0123456789abcdef"
        case .sequence: "1"
        case .target: "webhook"
        }
    }
}

/// For each route of the table.
@Suite struct `Access to the bank API` {
    private let client: BankClient

    init() async throws {
        client = try await BankClient()
        for id in ["other"] {
            let enterprise = EnterpriseID(checked: id)
            try await client.bank.verifier.addEnterprise(
                enterprise,
                policy: "{}",
                by: .operatorCommand
            )
        }
    }

    /// Without the fields that differ in each response.
    private func comparable(_ response: CompleteResponse) -> [String] {
        [String(response.status), response.text]
            + response.fields.filter { $0.name != "request-id" }.map { "\($0.name): \($0.value)" }
    }

    @Test func `SEC-54: gives nothing to a token that is revoked while its call waits`()
        async throws
    {
        var bank = try await Bank()
        _ = try await bank.activate()
        let id = try await bank.pay().id
        let (verifier, watched) = (bank.verifier, WatchedDatabase(bank.database))
        bank.use(bank.verifier(over: watched))
        let client = try await BankClient(bank)
        watched.forget()
        let target = BankClient.account + "/transactions/\(id)?wait=1"
        async let waited = client.call("GET", target, as: .issuer)
        try await waitUntil { watched.texts.contains { $0.contains("FROM transactions") } }
        let name = BankTokenName(checked: "\(BankToken.Role.issuer)")
        #expect(try await verifier.revokeToken(named: name, by: .operatorCommand))
        #expect(try await waited.status == 401)
    }

    @Test func `SEC-54: cuts the export of a token that is revoked meanwhile`() async throws {
        let bank = client.bank
        let text = try await bank.makeToken("export", for: .auditor)
        let fields = [Field("Authorization", BankClient.token(text))]
        let request = Request(
            method: "GET",
            target: BankClient.enterprise + "/audit",
            fields: fields,
            body: []
        )
        let response = await client.router.respond(to: request)
        #expect(response.status == 200)
        let name = BankTokenName(checked: "export")
        #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        await #expect(throws: Response.Cut.self) { _ = try await CompleteResponse(response) }
    }

    @Test(arguments: BankRoute.all)
    func `SEC-52: gives one response to all invalid tokens`(_ route: BankRoute) async throws {
        let bank = client.bank
        let expired = try await bank.makeToken("expired", for: route.role, lasting: .zero)
        let revoked = try await bank.makeToken("revoked", for: route.role)
        let name = BankTokenName(checked: "revoked")
        _ = try await bank.verifier.revokeToken(named: name, by: .operatorCommand)
        let unknown = try await Bank().makeToken()
        let shown =
            [expired, revoked, unknown].map { BankClient.token($0) }
            + [
                "", "Bearer", "Bearer ", "Bearer  x", "Basic YTpi", "Bearer x y",
                BankClient.token(expired.dropLast(1) + [0x30]),
            ]
        let before = try await bank.contents()
        var responses: Set<[String]> = []
        for authorization in shown {
            let response = try await client.call(
                route.method.rawValue,
                route.target(),
                showing: authorization,
                "{}",
                key: "one"
            )
            responses.insert(comparable(response))
        }
        let none = try await client.call(
            Request(method: route.method.rawValue, target: route.target(), fields: [], body: [])
        )
        responses.insert(comparable(none))
        #expect(responses.count == 1)
        #expect(none.status == 401)
        #expect(none.code == "unauthorized")
        #expect(none.value(of: "www-authenticate") == "Bearer")
        #expect(try await bank.contents() == before)
    }

    @Test(arguments: BankRoute.all)
    func `needs a role with the scope`(_ route: BankRoute) async throws {
        guard let role = route.otherRole else { return }
        let before = try await client.bank.contents()
        let response = try await client.call(
            route.method.rawValue,
            route.target(),
            as: role,
            "{}",
            key: "one"
        )
        #expect(response.status == 403)
        #expect(response.code == "scopeMissing")
        #expect(try await client.bank.contents() == before)
    }

    @Test(arguments: BankRoute.all.filter { $0.path.text.contains("{enterprise}") })
    func `hides an enterprise from tokens of other enterprises`(
        _ route: BankRoute
    ) async throws {
        let bank = client.bank
        let theirs = try await bank.makeToken(
            "theirs",
            for: route.role,
            in: EnterpriseID(checked: "other")
        )
        let before = try await bank.contents()
        var responses: Set<[String]> = []
        for enterprise in ["bank", "unknown"] {
            let response = try await client.call(
                route.method.rawValue,
                route.target([.enterprise: enterprise]),
                showing: BankClient.token(theirs),
                "{}",
                key: "one"
            )
            responses.insert(comparable(response))
            #expect(response.status == 404)
            #expect(response.code == "notFound")
        }
        #expect(responses.count == 1)
        #expect(try await bank.contents() == before)
    }

    @Test func `lists only the enterprises of the token`() async throws {
        let all = try await client.bank.makeToken("all", for: .auditor, in: nil)
        let path = "/bank/v1/enterprises"
        let own = try await client.call("GET", path)
        #expect(own.text == #"{"enterprises":[{"id":"bank"}]}"#)
        let every = try await client.call("GET", path, showing: BankClient.token(all))
        #expect(every.text == #"{"enterprises":[{"id":"bank"},{"id":"other"}]}"#)
        let trail = try await client.call("GET", "/bank/v1/audit", as: .auditor)
        #expect(trail.status == 404)
    }

    @Test func `gives each response a request id, and forbids caching`() async throws {
        var names: Set<String?> = []
        for target in ["/bank/v1/enterprises", "/nothing", BankClient.account] {
            let response = try await client.call("GET", target)
            names.insert(response.value(of: "request-id"))
            #expect(response.value(of: "cache-control") == "no-store")
        }
        #expect(names.count == 3)
        #expect(!names.contains(nil))
    }
}

@Suite(.described) struct `The form of a bank API request` {
    private let client: BankClient

    init() async throws {
        client = try await BankClient()
        // The first call of all creates the store's fingerprint key.
        _ = try await client.bank.call("first")
    }

    @Test(arguments: [
        "/", "/bank", "/bank/v1/", "/bank/v1/enterprises/", "//bank/v1/enterprises",
        "/bank/v1/enterprises/bank/", "/bank/v1/enterprises/b%61nk", "/bank/v1/enterprises/..",
        "/bank/v1/enterprises/bank/accounts/main/.", "bank/v1/enterprises", "*", "",
        "/bank/v1/enterprises/bank/accounts/main/\(String(repeating: "x", count: 65))",
        "/BANK/v1/enterprises", "http://bank.example/bank/v1/enterprises",
    ])
    func `requires the exact path`(_ target: String) async throws {
        let response = try await client.call("GET", target)
        #expect(response.status == 404)
        #expect(response.code == "notFound")
    }

    @Test func `requires a method of the path`() async throws {
        for method in ["DELETE", "PATCH", "get", "HEAD"] {
            let response = try await client.call(method, BankClient.account)
            #expect(response.status == 405)
            #expect(response.value(of: "allow") == "GET, PUT")
        }
    }

    @Test(arguments: [
        "limit=0", "limit=51", "limit=1&limit=1", "limit=+1", "limit=01", "limit=", "limit",
        "other=1", "", "limit=1&", "before=x", "before=%41", "limit=1;before=x",
        "before=\(TransactionCursor.text(ending: "AA"))",
    ])
    func `requires known query parameters with valid values`(_ query: String) async throws {
        let target = BankClient.account + "/transactions?" + query
        let response = try await client.call("GET", target)
        #expect(response.status == 400)
        #expect(response.code == "invalidQuery")
        #expect(response.errors.allSatisfy { $0.parameter != nil && $0.pointer == nil })
        #expect(!response.errors.isEmpty)
        #expect(try await client.call("GET", BankClient.account + "?wait=1").status == 400)
    }

    /// The query is read before the token.
    @Test func `lists only the first of many parameters that break a rule`() async throws {
        let target = BankClient.account + "/transactions?" + String(repeating: "&", count: 8000)
        let response = try await client.call("GET", target)
        #expect(response.status == 400)
        #expect(response.errors.count == 50)
        #expect(response.text.utf8.count < 10_000)
    }

    @Test func `lists every parameter that breaks a rule`() async throws {
        let target = BankClient.account + "/transactions?limit=51&other=1&before=x&limit=2"
        let response = try await client.call("GET", target)
        let found = response.errors.map {
            "\($0.parameter ?? "") \($0.rule) \($0.value ?? "") \($0.detail)"
        }
        #expect(
            found == [
                "limit notAllowed 51 Must be from 1 to 50.",
                "other unknown 1 Is not a parameter of this path. Its parameters: before, limit.",
                "before notAllowed x Must be the member next of a response.",
                "limit repeated 2 Must occur once.",
            ]
        )
    }

    @Test(
        arguments: [
            ("/bank/v1/enterprise", nil, "path"), ("/bank/v1/enterprises/other", nil, "enterprise"),
            (BankClient.account + "1", nil, "account"),
            (BankClient.account + "1/devices", nil, "account"),
            (BankClient.account + "1/transactions", nil, "account"),
            (BankClient.account + "/activations/AAAAAAAAAA", nil, "activation"),
            (BankClient.account + "/devices/1", nil, "device"),
            (BankClient.account + "/transactions/\(zeros)", nil, "transaction"),
            (
                BankClient.account + "/devices/1/credentials/user/unlocking", .customerService,
                "device"
            ),
            (
                BankClient.account + "/devices/\(zeros)/credentials/x/unlocking", .customerService,
                "credential"
            ),
            (BankClient.enterprise + "/outbox/1/x/retry", .administrator, "delivery"),
        ] as [(String, BankToken.Role?, String)]
    )
    func `reports what does not exist`(
        _ row: (target: String, role: BankToken.Role?, resource: String)
    ) async throws {
        let method = row.role == nil ? "GET" : "PUT"
        let response = try await client.call(method, row.target, as: row.role ?? .issuer)
        #expect(response.code == "notFound")
        #expect(response["resource"] == row.resource)
        let resource = BankResource(rawValue: row.resource)
        #expect(response["title"] == resource?.title)
    }

    @Test(
        arguments: [
            (#""title":"a\u202eb""#, "/title", #"a\u{202E}b"#, "control"),
            (
                #""title":"x","amounts":[{"currency":"XXX","minorUnits":1}]"#,
                "/amounts/0/currency", "XXX", "ISO 4217"
            ),
            (
                #""title":"x","returnURL":"javascript:alert(1)""#, "/returnURL",
                "javascript:alert(1)", "https"
            ),
            (
                #""title":"x","returnURL":"https://elsewhere.example/""#, "/returnURL",
                "https://elsewhere.example/", "returnAddresses"
            ),
            (#""title":"x","authentication":["consent"]"#, "/authentication", "consent", "userPIN"),
        ] as [(String, String, String, String)]
    )
    func `a refused transaction names the member, its value and the rule`(
        _ row: (content: String, pointer: String, value: String, rule: String)
    ) async throws {
        let response = try await client.call(
            "POST",
            BankClient.account + "/transactions",
            #"{"context":"action",\#(row.content)}"#,
            key: "one"
        )
        let error = try #require(response.errors.first)
        #expect(response.errors.count == 1)
        #expect(error.pointer == row.pointer)
        #expect(error.value == row.value)
        #expect(error.detail.contains(row.rule))
    }

    @Test(
        arguments: [
            ("", "malformedContent", nil), ("{", "malformedContent", nil),
            (#"{"context":"payment","context":"login"}"#, "malformedContent", nil),
            ("[]", "invalidContent", ""), ("{}", "invalidContent", "/context"),
            (#"{"context":"payment","title":7}"#, "invalidContent", "/title"),
            (#"{"context":"action","title":null}"#, "invalidContent", "/title"),
            (#"{"context":"action","title":"x","other":1}"#, "invalidContent", "/other"),
            (#"{"context":"action","title":"a\u202eb"}"#, "invalidContent", "/title"),
            (#"{"context":"payment","title":"x"}"#, "invalidContent", "/amounts"),
            (
                #"{"context":"action","title":"x","amounts":[{"currency":"XXX","minorUnits":1}]}"#,
                "invalidContent", "/amounts/0/currency"
            ),
            (
                #"{"context":"action","title":"x","payees":[{"name":"x","account":"de1"}]}"#,
                "invalidContent", "/payees/0/account"
            ),
            (
                #"{"context":"action","title":"x","payees":[{"name":"x"}]}"#,
                "invalidContent", "/payees/0/account"
            ),
            (
                #"{"context":"action","title":"x","payees":[{"name":"x","account":"1","merchant":"y"}]}"#,
                "invalidContent", "/payees/0/merchant"
            ),
            (
                #"{"context":"action","title":"x","payees":[{"name":"x","merchant":"y  z"}]}"#,
                "invalidContent", "/payees/0/merchant"
            ),
            (
                #"{"context":"action","title":"x","payees":[{"name":"x","account":"1"},"#
                    + #"{"name":"x","merchant":"y"}]}"#,
                "invalidContent", "/payees"
            ),
            (
                #"{"context":"action","title":"x","seconds":29}"#,
                "invalidContent", "/seconds"
            ),
            (
                #"{"context":"action","title":"x","seconds":600}"#,
                "policyForbids", "/seconds"
            ),
            (
                #"{"context":"action","title":"x","source":"shop"}"#,
                "invalidContent", "/source"
            ),
            (
                #"{"context":"action","title":"x","returnURL":"javascript:alert(1)"}"#,
                "invalidContent", "/returnURL"
            ),
            (
                #"{"context":"action","title":"x","returnURL":"https://elsewhere.example/"}"#,
                "policyForbids", "/returnURL"
            ),
            (
                #"{"context":"action","title":"x","authentication":["consent"]}"#,
                "policyForbids", "/authentication"
            ),
        ] as [(String, String, String?)]
    )
    func `requires valid content, and names the invalid member`(
        _ row: (content: String, code: String, pointer: String?)
    ) async throws {
        _ = try await client.bank.activate()
        let before = try await client.bank.contents()
        let response = try await client.call(
            "POST",
            BankClient.account + "/transactions",
            row.content,
            key: "one"
        )
        #expect(response.code == row.code)
        #expect(response.errors.map(\.pointer).contains(row.pointer ?? "") == (row.pointer != nil))
        #expect(response.status == (row.code == "malformedContent" ? 400 : 422))
        #expect(try await client.bank.contents() == before)
    }

    @Test func `lists every rule that the content breaks`() async throws {
        let long = String(repeating: "a", count: 101)
        let content = """
            {"context": "payment", "title": "\(long)", "nick": true,
            "fields": [{"label": "Limit"}, {"label": " ", "value": 5}],
            "amounts": [{"currency": "EUR", "minorUnits": -1}, {"currency": "EURO", "minorUnits": 1.5}],
            "payees": [{"name": "раypal", "account": "DE88370400440532013000"}],
            "reference": "a b", "returnURL": "http://x", "authentication": ["sms"]}
            """
        let target = BankClient.account + "/transactions"
        let response = try await client.call("POST", target, content, key: "one")
        #expect(response.code == "invalidContent")
        #expect(
            Set(response.errors.map { "\($0.pointer ?? "") \($0.rule) \($0.value ?? "-")" }) == [
                "/nick unknown -", "/title tooLong \(long)", "/fields/0/value missing -",
                "/fields/1/label spacing \\u{20}", "/fields/1/value wrongType 5",
                "/amounts/0/minorUnits outOfRange -1", "/amounts/1/currency badCurrency EURO",
                "/amounts/1/minorUnits wrongType 1.5", "/payees/0/name mixedScripts ра\\u{79}pal",
                "/payees/0/account badIBAN DE88370400440532013000", "/reference badName a b",
                "/returnURL badURL http://x", "/authentication/0 notAllowed sms",
            ]
        )
        let details = response.errors.map(\.detail)
        #expect(details.contains("Must have at most 100 characters."))
        #expect(details.contains("Must be from 0 to 999999999999999."))
        #expect(details.allSatisfy { $0.hasSuffix(".") })
    }

    @Test func `lists at most 50 errors, with short values`() async throws {
        let fields = String(repeating: "{},", count: 60) + "{}"
        let long = String(repeating: "я", count: 300)
        let content = #"{"title": "\#(long)", "\#(long)": 1, "payees": [\#(fields)]}"#
        let target = BankClient.account + "/transactions"
        let response = try await client.call("POST", target, content, key: "one")
        #expect(response.errors.count == 50)
        #expect(response.errors.compactMap(\.value).map(\.count) == [200])
        #expect(response.errors.compactMap(\.pointer).map(\.count).max() == 65)
    }

    @Test func `lists everything that the policy forbids`() async throws {
        _ = try await client.bank.activate()
        _ = try await client.bank.verifier.setPolicy(
            #"{"requiredFields": [{"context": "action", "labels": ["Limit", "Until"]}]}"#,
            of: Bank.enterprise,
            by: Bank.core
        )
        let content = """
            {"context": "action", "title": "x", "returnURL": "https://other.example/",
            "authentication": ["consent"], "fields": [{"label": "Limit", "value": "5"}]}
            """
        let target = BankClient.account + "/transactions"
        let response = try await client.call("POST", target, content, key: "one")
        #expect(response.code == "policyForbids")
        #expect(
            response.errors.map { "\($0.pointer ?? "") \($0.rule)" } == [
                "/fields requiredField", "/returnURL returnAddress",
                "/authentication authentication",
            ]
        )
    }

    @Test func `requires the content type and limits the size`() async throws {
        let target = BankClient.account + "/activations"
        for type in ["text/plain", "application/json; charset=latin1", "application/jsonx"] {
            let response = try await client.call(
                "POST",
                target,
                "{}",
                key: "one",
                contentType: type
            )
            #expect(response.status == 415)
        }
        let long = #"{"x":""# + String(repeating: "x", count: 64 << 10) + #""}"#
        #expect(try await client.call("POST", target, long, key: "one").status == 413)
        for (number, type) in ["application/json", "Application/JSON; charset=UTF-8"].enumerated() {
            let key = "key-\(number)"
            let response = try await client.call("POST", target, "{}", key: key, contentType: type)
            #expect(response.status == 201)
        }
    }

    @Test func `requires an idempotency key for calls that must not repeat`() async throws {
        let target = BankClient.account + "/activations"
        for key in [nil, "", "two words", "\"quoted\"", String(repeating: "x", count: 65)] {
            let response = try await client.call("POST", target, "{}", key: key)
            #expect(response.status == 400)
            #expect(response.code == "idempotencyKeyMissing")
        }
        #expect(try await client.call("POST", target, "{}", key: "one").status == 201)
        let other = try await client.call("POST", target, "{ }", key: "one")
        #expect(other.status == 422)
        #expect(other.code == "idempotencyKeyReused")
        #expect(!other.isReplayed)
    }

    @Test func `is not echoed unless it breaks a rule`() async throws {
        let marker = "MARKERMARKER"
        let target = BankClient.account + "/transactions"
        for content in [marker, #"{"title":"\#(marker)"}"#, #"{"title":{"\#(marker)":1}}"#] {
            let response = try await client.call("POST", target, content, key: "one")
            #expect(response.status >= 400)
            #expect(!response.text.contains(marker))
        }
        #expect(try await !client.call("GET", "/bank/v1/\(marker)").text.contains(marker))
    }

    @Test(arguments: [
        ("codes", #"{"code": 12345678}"#, "/code"),
        ("codes", #"{"code": "12345678", "other": 1}"#, "/other"),
        ("resynchronisation", #"{"first": 12345678, "second": "1"}"#, "/first"),
        ("resynchronisation", #"{"first": "1", "second": 12345678}"#, "/second"),
    ])
    func `SEC-69: is not echoed if it is a code`(
        _ row: (resource: String, content: String, pointer: String)
    ) async throws {
        let response = try await client.call(
            "POST",
            BankClient.account + "/devices/\(zeros)/\(row.resource)",
            as: row.resource == "codes" ? .issuer : .customerService,
            row.content,
            key: "one"
        )
        #expect(response.errors.map(\.pointer) == [row.pointer])
        #expect(!response.text.contains("12345678"))
    }
}

extension TransactionCursor {
    /// A cursor with additional text.
    fileprivate static func text(ending: String) -> String {
        "AAAAAAAAAAAAAAABYQ" + ending
    }
}

/// The id of no device.
private let zeros = String(repeating: "0", count: 32)
