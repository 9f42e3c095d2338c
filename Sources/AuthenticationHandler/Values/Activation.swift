import Cryptography
import FailureTranslation
import TransactionApproval

/// An activation id and its code.
///
/// They usually come by different channels: the id in a QR code, the code by letter.
public struct Activation: ~Copyable, Sendable {
    let id: ActivationID
    let code: ActivationCode
    let server: TrustedServer

    /// Takes typed text in either case, with dashes and spaces.
    public init(
        id: String,
        code: Span<UInt8>,
        at server: TrustedServer
    ) throws(AuthenticationError) {
        guard let id = ActivationID(typed: id) else {
            throw AuthenticationError(.activationCodeInvalid, cause: "the activation's id")
        }
        self.init(id, try ActivationCode(checking: code), at: server)
    }

    /// Takes the text of a QR code that contains the code.
    public init(
        scanned text: Span<UInt8>,
        trusting servers: [TrustedServer]
    ) throws(AuthenticationError) {
        let uri = try ActivationURI(scanned: text)
        let server = try uri.server(among: servers)
        let id = uri.activation
        guard let code = uri.takeCode() else {
            throw AuthenticationError(.activationCodeInvalid, cause: "no code in the QR code")
        }
        self.init(id, code, at: server)
    }

    /// Takes the text of a QR code, and the code from another channel.
    public init(
        scanned text: Span<UInt8>,
        code: Span<UInt8>,
        trusting servers: [TrustedServer]
    ) throws(AuthenticationError) {
        let uri = try ActivationURI(scanned: text)
        let server = try uri.server(among: servers)
        self.init(uri.activation, try ActivationCode(checking: code), at: server)
    }

    private init(_ id: ActivationID, _ code: consuming ActivationCode, at server: TrustedServer) {
        self.id = id
        self.code = code
        self.server = server
    }
}

extension Activation {
    /// Whether the text has the form of an activation id.
    public static func isID(_ text: String) -> Bool { ActivationID(typed: text) != nil }

    /// The server that the text of a QR code names, to be shown before the code is typed.
    public static func server(
        scanned text: Span<UInt8>,
        trusting servers: [TrustedServer]
    ) throws(AuthenticationError) -> TrustedServer {
        try ActivationURI(scanned: text).server(among: servers)
    }
}

extension ActivationCode {
    /// Detects typing errors, which cost no attempt.
    fileprivate init(checking text: Span<UInt8>) throws(AuthenticationError) {
        do throws(Failure) {
            self = try ActivationCode(typed: text)
        } catch .system(let failure) {
            throw AuthenticationError(system: failure)
        } catch {
            throw AuthenticationError(.activationCodeInvalid, cause: "mistyped")
        }
    }
}

extension ActivationURI {
    fileprivate init(scanned text: Span<UInt8>) throws(AuthenticationError) {
        let uri = try translating(ActivationURI.read(text), to: AuthenticationError.init(system:))
        guard let uri else { throw AuthenticationError(.activationCodeInvalid, cause: "no URI") }
        self = uri
    }

    /// The trusted server with this origin and this key.
    fileprivate borrowing func server(
        among servers: [TrustedServer]
    ) throws(AuthenticationError) -> TrustedServer {
        for candidate in servers where candidate.origin == server {
            if let server = try candidate.selecting(serverKey) { return server }
        }
        throw AuthenticationError(.activation, cause: "the QR code's server or key")
    }
}
