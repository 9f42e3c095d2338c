import Cryptography
import JOSE
import SelfTest
import StrictJSON
import ThreeDSProtocol

extension VectorType {
    static let emvChannel = VectorType(
        name: "emv-channel",
        inputs: [
            .text("receiver"), .text("own_key"), .text("other_key"),
            .text("sdk_reference_number"), .text("acs_trans_id"), .text("encryption").optional,
            .list("messages"),
        ],
        results: [.bytes("key_hex"), .list("plaintexts")]
    ) { row in
        do {
            return try row.channelResults()
        } catch ChannelFailure.system(let failure) {
            throw failure
        }
    }
}

extension VectorCase {
    /// The agreed key, and each plaintext in hexadecimal or the word `repeated`.
    fileprivate func channelResults() throws -> [String: Value] {
        let key = try agreedKey()
        let keyText = key.withBytes { TextEncoding.hexadecimal.encode($0) }
        var channel = SecureChannel(
            of: try side(),
            key,
            transactionID: try text("acs_trans_id"),
            state: try state()
        )
        var plaintexts: [Value] = []
        for message in try list("messages") {
            guard case .text(let token) = message else { throw Refused() }
            switch try channel.open(Array(token.utf8)) {
            case .message(let document):
                plaintexts.append(.text(TextEncoding.hexadecimal.encode(document.text.span)))
            case .repeated: plaintexts.append(.text("repeated"))
            }
        }
        return ["key_hex": .text(keyText), "plaintexts": .list(plaintexts)]
    }

    private func agreedKey() throws -> ChannelKey {
        let use = JWKUse.encryption(.ecdhES)
        return try ChannelKey(
            own: P256.PrivateKey(jwk: jwk("own_key"), for: use),
            other: P256.PublicKey(jwk: jwk("other_key"), for: use),
            sdkReferenceNumber: text("sdk_reference_number")
        )
    }

    private func side() throws -> SecureChannel.Side {
        switch try text("receiver") {
        case "sdk": .sdk
        case "acs": .acs
        default: throw Refused()
        }
    }

    /// The SDK chooses the encryption, and the first message chooses it for the ACS.
    private func state() throws -> SecureChannel.State {
        guard try has("encryption") == (side() == .sdk) else { throw Refused() }
        guard has("encryption") else { return SecureChannel.State(choosing: nil) }
        let encryption = try orRefused(JWE.Encryption(rawValue: try text("encryption")))
        return SecureChannel.State(choosing: encryption)
    }
}
