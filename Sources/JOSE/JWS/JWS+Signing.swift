package import Cryptography
import StrictJSON

extension JWS {
    /// A key to sign by one algorithm.
    package enum SigningKey: Sendable {
        case es256(P256.PrivateKey)
        case ps256(RSA.PrivateKey)

        fileprivate var algorithm: Algorithm {
            switch self {
            case .es256: .es256
            case .ps256: .ps256
            }
        }

        fileprivate func signature(
            for message: Span<UInt8>
        ) throws(CryptographyFailure) -> [UInt8] {
            switch self {
            case .es256(let key): try key.signature(for: message).raw
            case .ps256(let key): try key.pssSignature(for: message)
            }
        }
    }

    /// A key with the header of all tokens that it signs, which is encoded once.
    package struct Signer: Sendable {
        private let key: SigningKey
        /// In base64url.
        private let header: [UInt8]

        /// The header lists `certificates`, of which the first is for `key`.
        package init(
            _ key: SigningKey,
            certificates: [Certificate] = []
        ) throws(JOSEFailure) {
            var members = [JSONValue.Member.text("alg", key.algorithm.rawValue)]
            if !certificates.isEmpty {
                let texts = certificates.map { TextEncoding.base64.encode($0.der.span) }
                members.append(.init(name: "x5c", value: .array(texts.map(JSONValue.string))))
            }
            self.key = key
            header = try Header.token(members, reserving: 0)
        }

        package func signed(_ payload: Span<UInt8>) throws(JOSEFailure) -> String {
            var token: [UInt8] = []
            // With room for most signatures.
            token.reserveCapacity(header.count + payload.count * 4 / 3 + 512)
            token += header
            token.append(part: payload)
            let signature = try orRefused(key.signature(for: token.span))
            token.append(part: signature.span)
            return String(decoding: token, as: UTF8.self)
        }
    }

    /// Signs one payload; the header lists `certificates`, of which the first is for `key`.
    package static func signed(
        _ payload: Span<UInt8>,
        by key: SigningKey,
        certificates: [Certificate] = []
    ) throws(JOSEFailure) -> String {
        try Signer(key, certificates: certificates).signed(payload)
    }
}
