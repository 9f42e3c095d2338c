import Cryptography
import Foundation
import JOSE
import StrictJSON
import TestSupport
import Testing

/// Every algorithm in both directions, with two libraries in Python.
@Suite(
    .enabled(
        if: ReferenceCheckers.areInstalled,
        "Packaging/reference-checkers installs what is needed"
    )
)
struct `Tokens of jwcrypto and joserfc` {
    private let keys: TokenKeys
    private let text = Array(#"{"messageType":"CReq","é":"000"}"#.utf8)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    /// A task of Tests/ReferenceCheckers/tokens.py.
    private struct Task: Encodable {
        let library: String
        let key: String
        var token: String?
        var algorithms: [String]?
        var header: [String: String]?
        var content: String?
    }

    private func lines(_ tasks: [Task]) throws -> [String] {
        let input = [UInt8](try JSONEncoder().encode(tasks))
        let output = try ReferenceCheckers.check("tokens.py", given: input)
        return output.split(separator: "\n").map(String.init)
    }

    private var content: String { TextEncoding.hexadecimal.encode(text.span) }

    private func secret(_ encryption: JWE.Encryption) throws -> SecureBytes {
        let bytes = [UInt8](1...UInt8(encryption.keyByteCount))
        return try SecureBytes(copying: bytes.span)
    }

    /// The private key for an algorithm, as the script reads it.
    private func key(_ algorithm: JWE.Algorithm, _ encryption: JWE.Encryption) throws -> String {
        let bytes =
            switch algorithm {
            case .direct: try secret(encryption).secretJWK()
            case .ecdhES: try keys.elliptic.secretJWK()
            case .rsaOAEP256: Array(try keys.text("rsa.key").utf8)
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func sealed(_ algorithm: JWE.Algorithm, _ encryption: JWE.Encryption) throws -> String {
        switch algorithm {
        case .direct:
            try JWE.sealed(
                text.span,
                with: secret(encryption),
                encryption: encryption,
                keyID: "7"
            )
        case .ecdhES:
            try JWE.sealed(
                text.span,
                to: keys.elliptic.publicKey,
                deriving: derivation(for: encryption),
                encryption: encryption
            )
        case .rsaOAEP256:
            try JWE.sealed(text.span, to: keys.rsaPublic, encryption: encryption)
        }
    }

    private func opened(_ token: String, _ encryption: JWE.Encryption) throws -> [UInt8] {
        let token = try read(jwe: token)
        let permitted = [encryption]
        switch token.algorithm {
        case .direct:
            return try token.opened(with: secret(encryption), permitting: permitted)
        case .ecdhES:
            return try token.opened(
                by: keys.elliptic,
                deriving: derivation(for: encryption),
                permitting: permitted
            )
        case .rsaOAEP256: return try token.opened(by: keys.rsa, permitting: permitted)
        }
    }

    private static let algorithms: [JWE.Algorithm] = [.direct, .ecdhES, .rsaOAEP256]

    @Test(arguments: ["jwcrypto", "joserfc"], JWE.Encryption.allCases)
    func `are opened here, and ours there`(library: String, encryption: JWE.Encryption) throws {
        var tasks: [Task] = []
        for algorithm in Self.algorithms {
            let key = try key(algorithm, encryption)
            let names = [algorithm.rawValue, encryption.rawValue]
            tasks.append(
                Task(
                    library: library,
                    key: key,
                    token: try sealed(algorithm, encryption),
                    algorithms: names
                )
            )
            tasks.append(
                Task(
                    library: library,
                    key: key,
                    header: ["alg": names[0], "enc": names[1]],
                    content: content
                )
            )
        }
        let lines = try lines(tasks)
        try #require(lines.count == tasks.count)
        for index in Self.algorithms.indices {
            #expect(lines[2 * index] == content, "\(Self.algorithms[index])")
            #expect(try opened(lines[2 * index + 1], encryption) == text)
        }
    }

    @Test(arguments: ["jwcrypto", "joserfc"])
    func `are verified here, and ours there`(library: String) throws {
        let privateElliptic = String(decoding: try keys.elliptic.secretJWK(), as: UTF8.self)
        let publicElliptic = try String(
            decoding: keys.elliptic.publicKey.jwk.written(),
            as: UTF8.self
        )
        let publicRSA = try String(decoding: keys.rsaPublic.jwk.written(), as: UTF8.self)
        let lines = try lines([
            Task(
                library: library,
                key: publicElliptic,
                token: JWS.signed(text.span, by: .es256(keys.elliptic)),
                algorithms: ["ES256"]
            ),
            Task(
                library: library,
                key: publicRSA,
                token: JWS.signed(text.span, by: .ps256(keys.rsa)),
                algorithms: ["PS256"]
            ),
            Task(
                library: library,
                key: privateElliptic,
                header: ["alg": "ES256"],
                content: content
            ),
            Task(
                library: library,
                key: keys.text("rsa.key"),
                header: ["alg": "PS256"],
                content: content
            ),
        ])
        try #require(lines.count == 4)
        #expect(lines[0] == content)
        #expect(lines[1] == content)
        let elliptic = JWS.VerificationKey.es256(keys.elliptic.publicKey)
        #expect(try read(jws: lines[2]).payload(verifiedBy: elliptic) == text)
        #expect(try read(jws: lines[3]).payload(verifiedBy: .ps256(keys.rsaPublic)) == text)
    }

    /// The libraries do judge: a changed token of ours is refused there too.
    @Test(arguments: ["jwcrypto", "joserfc"]) func `are refused there after a change`(
        library: String
    ) throws {
        let sealed = try sealed(.direct, .a128GCM)
        let signed = try JWS.signed(text.span, by: .es256(keys.elliptic))
        let publicKey = try String(
            decoding: keys.elliptic.publicKey.jwk.written(),
            as: UTF8.self
        )
        func changed(_ token: String) -> String {
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            let first = parts[parts.count - 1].first == "A" ? "B" : "A"
            return token.dropLast(parts[parts.count - 1].count) + first
                + parts[parts.count - 1].dropFirst()
        }
        let lines = try lines([
            Task(
                library: library,
                key: key(.direct, .a128GCM),
                token: changed(sealed),
                algorithms: ["dir", "A128GCM"]
            ),
            Task(
                library: library,
                key: publicKey,
                token: changed(signed),
                algorithms: ["ES256"]
            ),
        ])
        #expect(lines == ["refused", "refused"])
    }
}
