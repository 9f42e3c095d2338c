import Cryptography
import JOSE
import StrictJSON

@testable import ThreeDSProtocol

/// The keys of SDK and ACS for one challenge.
struct ChallengeKeys: Sendable {
    static let transactionID = "d7c1ee99-9478-44a6-b1f2-391e29c6b340"
    static let referenceNumber = "3DS_LOA_SDK_EXAM_020200_00001"

    private let sdk: P256.PrivateKey
    private let acs: P256.PrivateKey

    init() throws {
        (sdk, acs) = (try P256.PrivateKey(), try P256.PrivateKey())
    }

    func agreed(
        by side: SecureChannel.Side,
        for referenceNumber: String = Self.referenceNumber
    ) throws -> ChannelKey {
        let (own, other) = side == .sdk ? (sdk, acs) : (acs, sdk)
        return try ChannelKey(
            own: own,
            other: other.publicKey,
            sdkReferenceNumber: referenceNumber
        )
    }

    func bytes() throws -> [UInt8] { try agreed(by: .sdk).withBytes { $0.array } }

    /// Both ends of a new channel.
    func parties(_ encryption: JWE.Encryption) throws -> (sdk: Party, acs: Party) {
        (
            try Party(.sdk, self, SecureChannel.State(choosing: encryption)),
            try Party(.acs, self, SecureChannel.State(choosing: nil))
        )
    }

    /// A token of any content, as a correct other side would never make it.
    func sealed(
        _ text: String,
        from side: SecureChannel.Side,
        _ encryption: JWE.Encryption,
        keyID: String? = Self.transactionID,
        nonce: [UInt8]? = nil
    ) throws -> [UInt8] {
        let key = try agreed(by: side).part(for: encryption, from: side)
        let content = Array(text.utf8)
        return Array(
            try JWE.sealed(
                content.span,
                with: key,
                encryption: encryption,
                keyID: keyID,
                nonce: nonce
            ).utf8
        )
    }
}

/// One side of a channel, as a class: macros of the tests cannot use values without copies.
final class Party {
    private var channel: SecureChannel
    private let keys: ChallengeKeys

    init(
        _ side: SecureChannel.Side,
        _ keys: ChallengeKeys,
        _ state: SecureChannel.State,
        transactionID: String = ChallengeKeys.transactionID,
        referenceNumber: String = ChallengeKeys.referenceNumber
    ) throws {
        channel = SecureChannel(
            of: side,
            try keys.agreed(by: side, for: referenceNumber),
            transactionID: transactionID,
            state: state
        )
        self.keys = keys
    }

    var side: SecureChannel.Side { channel.side }
    var state: SecureChannel.State { channel.state }

    func seal(_ text: String = "") throws -> [UInt8] {
        let members: [JSONValue.Member] = [
            .init(name: "acsTransID", value: .string(channel.transactionID)),
            .init(name: "text", value: .string(text)),
        ]
        return try seal(Message(channel.side.messageType, .twoTwo, members))
    }

    func seal(_ message: Message) throws -> [UInt8] { Array(try channel.seal(message).utf8) }

    func open(_ token: [UInt8]) throws -> SecureChannel.Opened { try channel.open(token) }

    /// The member `text` of a new message; nil for a repetition.
    func text(in token: [UInt8]) throws -> String? {
        guard case .message(let document) = try channel.open(token) else { return nil }
        return try JSONValue(reading: document.text, limits: .message)["text"]?.text
    }

    /// Whether the one error comes.
    func refuses(_ token: [UInt8]) throws -> Bool {
        do throws(ChannelFailure) {
            _ = try channel.open(token)
            return false
        } catch .refused {
            return true
        }
    }

    /// The same side after a crash: the key and the state come from a store.
    func restored(_ encoded: [UInt8]) throws -> Party {
        guard let state = SecureChannel.State(encoded: encoded) else {
            throw ChannelFailure.refused
        }
        return try Party(side, keys, state, transactionID: channel.transactionID)
    }
}

func nonce(of token: [UInt8]) throws -> [UInt8] {
    try JWE(reading: token, maximumByteCount: token.count).nonce
}
