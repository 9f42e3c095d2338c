import CommandLineTool
import Cryptography
import Transactions

/// A bearer token (RFC 6750, section 2.1).
///
/// It leaves the process in a header, or is compared with one, so it is a `String`.
struct AccessToken: Sendable {
    let text: String

    /// Nil if a character cannot be in a token.
    init?(_ line: Span<UInt8>) {
        guard !line.isEmpty, line.indices.allSatisfy({ isAllowed(line[$0]) }) else { return nil }
        text = String(decoding: line.array, as: UTF8.self)
    }
}

private func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "-._~+/=".utf8.contains(byte)
    }
}

extension Configuration.VerifierAccess {
    /// The token that the verifier accepts.
    func accessToken(of enterprise: EnterpriseID) throws(CommandFailure) -> AccessToken {
        try SecretFile(
            path: token,
            content: "token",
            hint: "create it: countersignd token create NAME cards --enterprise \(enterprise)",
            hintForContent: SecretFile.formOfToken
        ).token()
    }
}

extension Configuration.IssuerAPI {
    /// A shorter token could be guessed.
    static let minimumTokenLength = 32

    /// The token that the issuer's programs show.
    func accessToken() throws(CommandFailure) -> AccessToken {
        let file = SecretFile(
            path: token,
            content: "token",
            hint: "countersign-acs init creates a token",
            hintForContent: SecretFile.formOfToken
        )
        let token = try file.token()
        guard token.text.utf8.count >= Self.minimumTokenLength else {
            throw CommandFailure(
                .malformedInput,
                "the token in \(file.path) is shorter than \(Self.minimumTokenLength) characters",
                hint: "delete the file, and run countersign-acs init"
            )
        }
        return token
    }
}

extension SecretFile {
    fileprivate static let formOfToken =
        "write only the token, in one line without spaces, carriage returns and a byte order mark"

    fileprivate func token() throws(CommandFailure) -> AccessToken {
        guard let token = try line().withBytes({ AccessToken($0) }) else { throw malformed }
        return token
    }
}
