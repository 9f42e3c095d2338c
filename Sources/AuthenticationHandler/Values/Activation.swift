import Cryptography
import TransactionApproval

/// What a person has in hand to activate this device: an activation's id and its code.
///
/// They come by different ways, as a rule: the id in a QR code, the code by letter.
public struct Activation: ~Copyable, Sendable {
    let id: ActivationID
    let code: ActivationCode
    let server: TrustedServer

    /// Both as they were typed, in either case, with dashes and spaces between.
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

    /// The text of a QR code that has the code in it, for one of the servers that are trusted.
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

    /// The text of a QR code, and the code that came by another way.
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

extension ActivationCode {
    /// A typing error is told here: it costs no attempt.
    fileprivate init(checking text: Span<UInt8>) throws(AuthenticationError) {
        do throws(Failure) {
            self = try ActivationCode(typed: text)
        } catch .machine(let failure) {
            throw AuthenticationError(machine: failure)
        } catch {
            throw AuthenticationError(.activationCodeInvalid, cause: "mistyped")
        }
    }
}

extension ActivationURI {
    fileprivate init(scanned text: Span<UInt8>) throws(AuthenticationError) {
        let uri: ActivationURI?
        do throws(CryptographyFailure) {
            uri = try ActivationURI.read(text)
        } catch {
            throw AuthenticationError(machine: error)
        }
        guard let uri else { throw AuthenticationError(.activationCodeInvalid, cause: "no URI") }
        self = uri
    }

    /// The one of that origin and that key: both must be known already.
    fileprivate borrowing func server(
        among servers: [TrustedServer]
    ) throws(AuthenticationError) -> TrustedServer {
        for candidate in servers where candidate.origin == server {
            let name = try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
                try ServerKeyID(of: candidate.agreementKey)
            }
            if name == serverKey { return candidate }
        }
        throw AuthenticationError(.invitation, cause: "the QR code's server or key")
    }
}
