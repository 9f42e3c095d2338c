package import Cryptography

/// What a QR code holds for an activation: where to go, which activation, and perhaps its code.
///
/// The name of the server's key is for comparison with the key that the app has already, or that the
/// person trusts after looking at it: whoever prints a QR code can print a key of his own.
///
/// A scheme of its own, and no `https`: a camera that does not know this one must not send the code
/// to a web server, where it would be logged.
package struct ActivationURI: ~Copyable, Sendable {
    package let server: ServerOrigin
    package let serverKey: ServerKeyID
    package let activation: ActivationID
    /// Nil, as a rule: id and code go by different ways unless the bank wants them in one.
    package let code: ActivationCode?

    package init(
        server: ServerOrigin,
        serverKey: ServerKeyID,
        activation: ActivationID,
        code: consuming ActivationCode? = nil
    ) {
        self.server = server
        self.serverKey = serverKey
        self.activation = activation
        self.code = code
    }

    /// Gives the code away, which cannot be copied.
    package consuming func takeCode() -> ActivationCode? { code }
}

// MARK: Its one spelling

// Every character stands for itself: none needs an escape in a query (RFC 3986, section 3.4).
private let opening = "countersign-activation:1?server="
private let codeName = Array("&code=".utf8)

extension ActivationURI {
    /// In secure memory, as the code is.
    package borrowing func text() throws(CryptographyFailure) -> SecureBytes {
        let beginning = Array("\(opening)\(server)&key=\(serverKey)&activation=\(activation)".utf8)
        guard let codeText = try code?.text() else {
            return try SecureBytes(copying: beginning.span)
        }
        let beginningWithCode = beginning + codeName
        return try codeText.withBytes { code throws(CryptographyFailure) in
            try SecureBytes(joining: beginningWithCode.span, code)
        }
    }

    /// Nil for all but what `text()` writes.
    package static func read(
        _ text: Span<UInt8>
    ) throws(CryptographyFailure) -> ActivationURI? {
        guard text.count <= longest else { return nil }
        let codeStart = text.indices.first { text.extracting($0...).starts(with: codeName) }
        guard let names = Names(text.extracting(..<(codeStart ?? text.count))) else { return nil }
        guard let codeStart else {
            return ActivationURI(
                server: names.server,
                serverKey: names.serverKey,
                activation: names.activation
            )
        }
        let code = try ActivationCode.read(text.extracting((codeStart + codeName.count)...))
        guard let code else { return nil }
        return ActivationURI(
            server: names.server,
            serverKey: names.serverKey,
            activation: names.activation,
            code: code
        )
    }

    private static let longest = ServerOrigin.longest + 200
}

/// All that is no secret.
private struct Names {
    let server: ServerOrigin
    let serverKey: ServerKeyID
    let activation: ActivationID

    init?(_ characters: Span<UInt8>) {
        let text = String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
        guard text.utf8.starts(with: opening.utf8) else { return nil }
        let parts = text.dropFirst(opening.count)
            .split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        guard
            parts.count == 3, parts[1].hasPrefix("key="), parts[2].hasPrefix("activation="),
            let server = ServerOrigin(parts[0]),
            let serverKey = ServerKeyID(String(parts[1].dropFirst("key=".count))),
            let activation = ActivationID(String(parts[2].dropFirst("activation=".count)))
        else { return nil }
        self.server = server
        self.serverKey = serverKey
        self.activation = activation
    }
}

extension ActivationCode {
    /// Nil for all but the one spelling that `text()` has.
    fileprivate static func read(
        _ text: Span<UInt8>
    ) throws(CryptographyFailure) -> ActivationCode? {
        let code: ActivationCode
        do throws(Failure) {
            code = try ActivationCode(typed: text)
        } catch .machine(let failure) {
            throw failure
        } catch {
            return nil
        }
        let spelling = try code.text()
        let isSpelledSo = spelling.withBytes { equalInConstantTime($0, text) }
        return isSpelledSo ? consume code : nil
    }
}

extension Span<UInt8> {
    fileprivate func starts(with beginning: [UInt8]) -> Bool {
        count >= beginning.count && beginning.indices.allSatisfy { self[$0] == beginning[$0] }
    }
}
