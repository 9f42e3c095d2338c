package import Cryptography

/// The content of a QR code for an activation: verifier, activation id and, optionally, the code.
///
/// The app compares the key name with a key that it already trusts, because an attacker can print a
/// QR code with any key.
///
/// The scheme is not `https`: an unknown camera app must not send the code to a web server, which
/// would log it.
package struct ActivationURI: ~Copyable, Sendable {
    package let server: ServerOrigin
    package let serverKey: ServerKeyID
    package let activation: ActivationID
    /// Nil by default: id and code use different channels.
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

    package consuming func takeCode() -> ActivationCode? { code }
}

// MARK: Its one spelling

// No character needs an escape in a query (RFC 3986, section 3.4).
private let opening = "countersign-activation:1?server="
private let codeName = Array("&code=".utf8)

extension ActivationURI {
    /// In secure memory, because it may contain the code.
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

    /// Nil for any text that `text()` does not write.
    package static func read(_ text: Span<UInt8>) throws(SystemFailure) -> ActivationURI? {
        guard text.count <= maximumByteCount else { return nil }
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

    private static let maximumByteCount = ServerOrigin.maximumByteCount + 200
}

/// The parts that are not secret.
private struct Names {
    let server: ServerOrigin
    let serverKey: ServerKeyID
    let activation: ActivationID

    init?(_ characters: Span<UInt8>) {
        let bytes = characters.indices.map { characters[$0] }
        guard bytes.starts(with: opening.utf8) else { return nil }
        let parts = String(decoding: bytes.dropFirst(opening.utf8.count), as: UTF8.self)
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
    /// Nil unless `text` has the canonical spelling.
    fileprivate static func read(_ text: Span<UInt8>) throws(SystemFailure) -> ActivationCode? {
        do throws(Failure) {
            let code = try ActivationCode(typed: text)
            let spelling = try translatingSystemFailure(code.text(), to: Failure.system)
            let isCanonical = spelling.withBytes { equalInConstantTime($0, text) }
            return isCanonical ? consume code : nil
        } catch .system(let failure) {
            throw failure
        } catch {
            return nil
        }
    }
}

extension Span<UInt8> {
    fileprivate func starts(with beginning: [UInt8]) -> Bool {
        count >= beginning.count && beginning.indices.allSatisfy { self[$0] == beginning[$0] }
    }
}
