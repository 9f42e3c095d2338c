import AuthenticationHandler
import CommandLineTool
import FailureTranslation

/// The text from the bank: the id of an activation, or a QR code, which may contain the code.
struct ActivationText {
    private static let scheme = Array("countersign-activation:".utf8)
    private static let codeLength = 20
    private static let codeName = Array("&code=".utf8)
    private static let webScheme = Array("https://".utf8)
    private static let webPath = Array("/approve/#activation=".utf8)

    private let text: TypedSecret

    /// Prompts for the text if none is given.
    init(_ given: String?, or secrets: SecretSource) throws(CommandFailure) {
        text =
            if let given {
                try TypedSecret(copying: Array(given.utf8).span)
            } else {
                try secrets.secret(Self.textPrompt, hint: Self.hintWithoutTerminal)
            }
    }

    /// Whether an argument has a code: a QR code with one, or nothing else.
    static func hasCode(_ argument: String) -> Bool {
        let characters = argument.utf8.filter { !" -".utf8.contains($0) }
        return characters.count == codeLength || containsCode(argument.utf8.span)
    }

    private static func containsCode(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { text.holds(codeName, at: $0) }
    }

    /// The verifier's link for a browser, which works in no other program.
    private static func isWebLink(_ text: Span<UInt8>) -> Bool {
        text.holds(webScheme, at: 0) && text.indices.contains { text.holds(webPath, at: $0) }
    }

    /// Shows the server, and then prompts for the code if the text does not contain it.
    func activation(
        at servers: [TrustedServer],
        codeFrom secrets: SecretSource
    ) throws(CommandFailure) -> Activation {
        let server = try server(among: servers)
        let containsCode = text.withBytes { Self.containsCode($0) }
        if secrets.isInteractive {
            try secrets.terminal.messages.print(Self.server(server, beforeCode: !containsCode))
            if containsCode { try Self.confirmFingerprint(at: secrets.terminal) }
        }
        if containsCode {
            return try reading { text throws(AuthenticationError) in
                try Activation(scanned: text, trusting: servers)
            }
        }
        return try secrets.correcting { () throws(CommandFailure) in
            let code = try secrets.secret(Self.codePrompt)
            return try reading { text throws(AuthenticationError) in
                try code.withBytes { code throws(AuthenticationError) in
                    if text.holds(Self.scheme, at: 0) {
                        return try Activation(scanned: text, code: code, trusting: servers)
                    }
                    return try Activation(id: Self.id(text), code: code, at: server)
                }
            }
        }
    }

    /// With a code in the text, no prompt for the code gives the person time to compare.
    private static func confirmFingerprint(at terminal: Terminal) throws(CommandFailure) {
        guard try terminal.agrees(to: fingerprintQuestion) else {
            throw .otherFingerprint
        }
    }

    private func server(among servers: [TrustedServer]) throws(CommandFailure) -> TrustedServer {
        if text.withBytes({ $0.holds(Self.scheme, at: 0) }) {
            do throws(AuthenticationError) {
                return try text.withBytes { text throws(AuthenticationError) in
                    try Activation.server(scanned: text, trusting: servers)
                }
            } catch  where error.code == .activationCodeInvalid {
                throw .incompleteQRCode
            } catch {
                throw CommandFailure(error)
            }
        }
        guard !text.withBytes({ Self.isWebLink($0) }) else { throw .linkForBrowser }
        guard text.withBytes({ Activation.isID(Self.id($0)) }) else { throw .noActivationID }
        guard servers.count == 1 else { throw .severalServers }
        return servers[0]
    }

    private static func id(_ text: Span<UInt8>) -> String {
        String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
    }

    /// The form of the id was checked before, so only the code can be malformed.
    private func reading(
        _ body: (Span<UInt8>) throws(AuthenticationError) -> Activation
    ) throws(CommandFailure) -> Activation {
        do throws(AuthenticationError) {
            return try text.withBytes(body)
        } catch  where error.code == .activationCodeInvalid {
            throw .mistypedActivationCode
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension Span<UInt8> {
    fileprivate func holds(_ bytes: [UInt8], at start: Int) -> Bool {
        count - start >= bytes.count && bytes.indices.allSatisfy { self[start + $0] == bytes[$0] }
    }
}
