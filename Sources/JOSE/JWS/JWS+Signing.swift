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

    /// Signs a payload; the header lists `certificates`, of which the first is for `key`.
    package static func signed(
        _ payload: Span<UInt8>,
        by key: SigningKey,
        certificates: [Certificate] = []
    ) throws(JOSEFailure) -> String {
        var members = [JSONValue.Member.text("alg", key.algorithm.rawValue)]
        if !certificates.isEmpty {
            let texts = certificates.map { TextEncoding.base64.encode($0.der.span) }
            members.append(.init(name: "x5c", value: .array(texts.map(JSONValue.string))))
        }
        var token = try Header.token(members, reserving: payload.count)
        token.append(part: payload)
        let signature = try orRefused(key.signature(for: token.span))
        token.append(part: signature.span)
        return String(decoding: token, as: UTF8.self)
    }
}
