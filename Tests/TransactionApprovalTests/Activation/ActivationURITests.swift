import Cryptography
import Testing
import TransactionApproval

private let key = "000102030405060708090a0b0c0d0e0f"
private let withoutCode =
    "countersign-activation:1?server=https://approve.bank.example&key=\(key)&activation=01ABCDEFGH"
private let withCode = withoutCode + "&code=" + ActivationExchange.code

extension ActivationURI {
    fileprivate static func read(_ text: String) throws -> ActivationURI? {
        try read(Array(text.utf8).span)
    }

    fileprivate borrowing func string() throws -> String {
        try text().withBytes { String(decoding: $0.array, as: UTF8.self) }
    }
}

@Suite struct `Activation URIs` {
    @Test func `SEC-49 contain no code by default`() throws {
        let uri = try required(try ActivationURI.read(withoutCode))
        #expect(uri.server.text == "https://approve.bank.example")
        #expect(uri.serverKey.bytes == Array(0..<16))
        #expect(uri.activation.text == "01ABCDEFGH")
        let hasCode = uri.code != nil
        #expect(!hasCode)
        #expect(try uri.string() == withoutCode)
    }

    @Test func `contain a code if the bank requests it`() throws {
        let uri = try required(try ActivationURI.read(withCode))
        #expect(try uri.string() == withCode)
    }

    @Test(arguments: [
        "https://a", "https://approve.bank.example:8443", "https://10.0.0.1",
        "http://127.0.0.1:8080",
        "http://localhost",
    ])
    func `allow any server over TLS, and loopback`(_ origin: String) throws {
        let text = withCode.replacing("https://approve.bank.example", with: origin)
        #expect(try required(try ActivationURI.read(text)).string() == text)
    }

    @Test func `are read back`() throws {
        let server = try #require(ServerOrigin("https://approve.bank.example"))
        let serverKey = try #require(ServerKeyID(Array(0..<16)))
        let activation = try ActivationID.random()
        let code = try ActivationCode.random()
        let codeText = try code.text().withBytes { $0.array }
        let uri = ActivationURI(
            server: server,
            serverKey: serverKey,
            activation: activation,
            code: code
        )
        let text = try uri.string()
        #expect(
            text.hasSuffix(
                "&activation=\(activation)&code=" + String(decoding: codeText, as: UTF8.self)
            )
        )
        #expect(try required(try ActivationURI.read(text)).string() == text)
    }

    @Test(arguments: refused)
    func `are refused in any other spelling`(_ text: String) throws {
        let isRead = try ActivationURI.read(text) != nil
        #expect(!isRead)
    }

    @Test func `are refused after more than 50 changes`() {
        #expect(Set(refused).count >= 50)
        #expect(!refused.contains(withCode) && !refused.contains(withoutCode))
    }
}

private let refused: [String] =
    [
        "", "countersign-activation:", opening, " " + withCode, withCode + " ", withCode + "\n",
        withCode + "\0", withCode + "&", withCode + "#", withCode + "&x=1", withoutCode + "&",
        withoutCode + "&code=", withoutCode + "&code", withCode + withCode, "\u{FEFF}" + withCode,
        withoutCode + String(repeating: "A", count: 500), withoutCode.uppercased(),
        withCode.lowercased(),
    ] + servers.map { changed("https://approve.bank.example", $0) }
    + keys.map { changed(key, $0) }
    + [
        ("countersign-activation:1?", "Countersign-activation:1?"),
        ("countersign-activation:1?", "countersign-activation:2?"),
        ("countersign-activation:1?", "countersign-activation:?"),
        ("countersign-activation:1?", "countersign-activation://1?"),
        ("countersign-activation:1?", "https://bank.example/activation?"),
        ("server=", "Server="), ("server=", "origin="), ("&key=", "&Key="), ("&key=", ";key="),
        ("&key=", "&&key="), ("&key=", "&key=&key="), ("&key=\(key)", ""), ("&activation=", "&id="),
        ("&activation=01ABCDEFGH", ""),
        ("&key=\(key)&activation=01ABCDEFGH", "&activation=01ABCDEFGH&key=\(key)"),
        ("01ABCDEFGH", "01ABCDEFG"), ("01ABCDEFGH", "01ABCDEFGH0"), ("01ABCDEFGH", "01abcdefgh"),
        ("01ABCDEFGH", "O1ABCDEFGH"), ("01ABCDEFGH", "01ABC-DEFGH"), ("01ABCDEFGH", "01ABCDEFG%48"),
        ("&code=", "&Code="), ("&code=", "&code=&code="), ("01234-56789", "0123456789"),
        ("01234-56789", "o1234-56789"), ("01234-56789", "01234-56788"),
        ("01234-56789", "01234 56789"), ("ABCDE-FGHXG", "abcde-fghxg"),
        ("ABCDE-FGHXG", "ABCDE-FGHXH"), ("ABCDE-FGHXG", "ABCDE"),
        ("ABCDE-FGHXG", "ABCDE-FGHXG-"), ("ABCDE-FGHXG", "ABCDE%2DFGHXG"),
    ].map { changed($0.0, $0.1) }

private let opening = "countersign-activation:1?server="

private let servers = [
    "", "https://", "approve.bank.example", "http://approve.bank.example", "http://127.0.0.2",
    "http://localhost.example", "HTTPS://approve.bank.example", "https://Approve.bank.example",
    "https://approve.bank.example/", "https://approve.bank.example/x",
    "https://approve.bank.example:",
    "https://approve.bank.example:443", "https://approve.bank.example:0",
    "https://approve.bank.example:65536", "https://approve.bank.example:08443",
    "https://approve.bank.example:+8443", "https://approve.bank.example:8443:1",
    "https://bank@approve.example", "https://bank.example?x", "https://bank.example#x",
    "https://bank.example%2Fx", "https%3A%2F%2Fapprove.bank.example", "https://-bank.example",
    "https://bank..example", "https://bänk.example", "https://[::1]", "javascript:alert(1)",
    "file:///etc/passwd", "https://" + String(repeating: "a.", count: 150) + "a",
]

private let keys = [
    "", key.uppercased(), String(key.dropLast()), String(key.dropLast(2)), key + "00", "0x" + key,
    key.replacing("0a", with: "0g"), "AAECAwQFBgcICQoLDA0ODw",
]

private func changed(_ part: String, _ replacement: String) -> String {
    let changed = withCode.replacing(part, with: replacement, maxReplacements: 1)
    precondition(changed != withCode, "the fault is not in it")
    return changed
}
