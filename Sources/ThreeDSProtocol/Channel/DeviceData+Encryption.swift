package import Cryptography
package import JOSE
import StrictJSON

extension DeviceData {
    /// The maximum length of the element `sdkEncData`.
    static let maximumEncryptedByteCount = 64_000

    /// A key of a directory server, to which SDKs encrypt.
    package enum RecipientKey: Sendable {
        case rsa(RSA.PublicKey)
        case elliptic(P256.PublicKey, directoryServerID: String)
    }

    /// The private half, in the directory server.
    package enum OpeningKey: Sendable {
        case rsa(RSA.PrivateKey)
        case elliptic(P256.PrivateKey, directoryServerID: String)
    }

    /// Encrypts the data for the directory server: the value of `sdkEncData`.
    package func encrypted(
        to recipient: RecipientKey,
        by encryption: JWE.Encryption
    ) throws(ChannelFailure) -> String {
        let text = try plaintext()
        let sealed =
            switch recipient {
            case .rsa(let key):
                try JWE.sealed(text.span, to: key, encryption: encryption)
            case .elliptic(let key, let directoryServerID):
                try JWE.sealed(
                    text.span,
                    to: key,
                    deriving: .withoutParties(except: directoryServerID),
                    encryption: encryption
                )
            }
        guard sealed.utf8.count <= Self.maximumEncryptedByteCount else { throw .refused }
        return sealed
    }

    /// Decrypts and reads the value of `sdkEncData`.
    package init(
        decrypting text: [UInt8],
        by key: OpeningKey
    ) throws(ChannelFailure) {
        let maximum = Self.maximumEncryptedByteCount
        let token = try JWE(reading: text, maximumByteCount: maximum)
        let permitted = JWE.Encryption.allCases
        let content =
            switch key {
            case .rsa(let key):
                try token.opened(by: key, permitting: permitted)
            case .elliptic(let key, let directoryServerID):
                try token.opened(
                    by: key,
                    deriving: .withoutParties(except: directoryServerID),
                    permitting: permitted
                )
            }
        guard let data = DeviceData(reading: content) else { throw .refused }
        self = data
    }

    private func plaintext() throws(ChannelFailure) -> [UInt8] {
        do throws(StrictJSON.Unwritable) { return try written() } catch { throw .refused }
    }
}
