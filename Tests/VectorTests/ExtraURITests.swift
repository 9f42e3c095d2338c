import Foundation
import OneTimePassword
import OneTimePasswordFormats
import Testing
import VectorTesting

@Suite(.needsExtraVectors(for: "otpauth URIs of others"))
struct `otpauth URIs of others` {
    @Test func `are accepted and rejected as expected`() throws {
        let table = try JSONDecoder().decode(
            Table.self,
            from: ExtraVectors.read("otpauth/uris.json")
        )
        for entry in table.uris {
            let uri = try? OTPAuthURI(entry.uri)
            switch entry.expect {
            case "accept", "policy_short_secret":
                let read = try #require(uri, "\(entry.uri)")
                #expect(entry.parsed?.agrees(with: read) == true, "\(entry.uri)")
                let isShort = entry.expect != "accept"
                #expect(((try? Secret(importing: read.secret)) == nil) == isShort, "\(entry.uri)")
            case "policy":
                #expect((uri != nil) == Self.acceptedByPolicy.contains(entry.uri), "\(entry.uri)")
            default:
                // One is rejected only for its short secret, which is a rule of the import.
                let secret = uri.flatMap { try? Secret(importing: $0.secret) }
                #expect(secret == nil, "\(entry.uri)")
            }
        }
        print("otpauth/uris.json: \(table.uris.count) rows checked")
    }

    /// Readers differ here: a plus is a plus, as in RFC 3986.
    private static let acceptedByPolicy: Set = [
        "otpauth://hotp/user?secret=GAYTEMZUGU3DOOBZGAYTEMZUGU&counter=0&issuer=Air+Canada"
    ]

    private struct Table: Decodable {
        let uris: [Entry]
    }

    private struct Entry: Decodable {
        let uri: String
        let expect: String
        let parsed: Facts?
    }

    /// The expected values of a URI; missing values have their default or are not checked.
    private struct Facts: Decodable {
        let type: String
        let label: String
        let issuer: String?
        let algorithm: String?
        let digits: Int?
        let counter: UInt64?
        let period: Int?

        func agrees(with uri: OTPAuthURI) -> Bool {
            let kind: OTPAuthURI.Kind =
                type == "hotp"
                ? .hotp(counter: Counter(counter ?? 0)) : .totp(periodSeconds: period ?? 30)
            return uri.kind == kind && uri.label == label && uri.issuer == issuer
                && uri.algorithm.rawValue == algorithm ?? "SHA1"
                && uri.digits.rawValue == digits ?? 6
        }
    }
}
