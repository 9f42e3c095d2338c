import AuthenticationHandler
import CommandLineTool

/// What the bank sent: the id of an activation, or the text of a QR code, which may hold the code.
struct ActivationText {
    private static let scheme = Array("countersign-activation:".utf8)
    private static let codeName = Array("&code=".utf8)

    private let text: TypedSecret

    /// Asks for it where it is not given.
    init(_ given: String?, or secrets: SecretSource) throws(CommandFailure) {
        guard let given else {
            text = try secrets.secret("activation id, or text of the QR code")
            return
        }
        let bytes = Array(given.utf8)
        text = try TypedSecret(copying: bytes.span)
    }

    /// Asks for the code where the text does not hold it.
    func activation(
        at servers: [TrustedServer],
        codeFrom secrets: SecretSource
    ) throws(CommandFailure) -> Activation {
        do throws(AuthenticationError) {
            if holdsCode {
                return try text.withBytes { text throws(AuthenticationError) in
                    try Activation(scanned: text, trusting: servers)
                }
            }
        } catch {
            throw CommandFailure(error)
        }
        let code = try secrets.secret("activation code")
        return try isScanned ? scanned(with: code, at: servers) : typed(with: code, at: servers)
    }

    private var isScanned: Bool { text.withBytes { $0.holds(Self.scheme, at: 0) } }

    private var holdsCode: Bool { text.withBytes { Self.holdsCode($0) } }

    static func holdsCode(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { text.holds(codeName, at: $0) }
    }

    private func scanned(
        with code: TypedSecret,
        at servers: [TrustedServer]
    ) throws(CommandFailure) -> Activation {
        do throws(AuthenticationError) {
            return try text.withBytes { text throws(AuthenticationError) in
                try code.withBytes { code throws(AuthenticationError) in
                    try Activation(scanned: text, code: code, trusting: servers)
                }
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func typed(
        with code: TypedSecret,
        at servers: [TrustedServer]
    ) throws(CommandFailure) -> Activation {
        guard servers.count == 1 else {
            throw CommandFailure(
                .usage,
                "several servers are trusted, and an id does not tell whose it is",
                hint: "name the origin of one by --server"
            )
        }
        // No secret: the code is.
        let id = text.withBytes { text in
            String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
        }
        do throws(AuthenticationError) {
            return try code.withBytes { code throws(AuthenticationError) in
                try Activation(id: id, code: code, at: servers[0])
            }
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
