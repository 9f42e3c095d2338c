package import Cryptography
import StrictJSON
import TransactionApproval

/// The sender for FCM, from the JSON file of a Google Cloud service account.
package struct ServiceAccount: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        case notJSON
        /// The member is missing or not valid.
        case member(String)
        case system(SystemFailure)
    }

    let project: String
    package let tokenURL: String
    private let name: String
    private let keyID: String
    private let key: RSA.PrivateKey

    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    /// Parses a file; its key is in ordinary memory meanwhile.
    package init(reading text: [UInt8]) throws(Failure) {
        // `try?`: the position of a syntax error does not help the operator, who got the file as it is.
        guard let members = try? JSONValue(reading: text, limits: .message) else {
            throw .notJSON
        }
        func member(_ name: String) throws(Failure) -> String {
            guard let text = members[name]?.text, !text.isEmpty else { throw .member(name) }
            return text
        }
        guard try member("type") == "service_account" else { throw .member("type") }
        project = try member("project_id")
        guard project.utf8.allSatisfy(Self.isOfProjectID) else { throw .member("project_id") }
        tokenURL = try member("token_uri")
        name = try member("client_email")
        keyID = try member("private_key_id")
        let pem = Array(try member("private_key").utf8)
        do throws(CryptographyFailure) {
            key = try RSA.PrivateKey(pem: pem.span)
        } catch .invalidRSAKey {
            throw .member("private_key")
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    private static func isOfProjectID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

// MARK: JSON Web Token (RFC 7519) with RS256

extension ServiceAccount {
    private struct Header: Encodable {
        let alg = "RS256"
        let typ = "JWT"
        let kid: String
    }

    private struct Claims: Encodable {
        let iss: String
        let scope: String
        let aud: String
        let iat: UInt64
        let exp: UInt64
    }

    /// The maximum that the token server accepts.
    private static let life: UInt64 = 3600

    /// The assertion that requests an access token.
    func assertion(at now: Timestamp) throws -> String {
        let seconds = now.milliseconds / 1000
        let claims = Claims(
            iss: name,
            scope: Self.scope,
            aud: tokenURL,
            iat: seconds,
            exp: seconds + Self.life
        )
        let parts = [
            try StrictJSON.encode(Header(kid: keyID)), try StrictJSON.encode(claims),
        ]
        let signed = parts.map { TextEncoding.base64URL.encode($0.span) }.joined(separator: ".")
        let message = Array(signed.utf8)
        let signature = try key.signature(for: message.span)
        return signed + "." + TextEncoding.base64URL.encode(signature.span)
    }
}
