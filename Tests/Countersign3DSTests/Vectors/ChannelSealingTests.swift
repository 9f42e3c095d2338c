import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import VectorTesting

/// The reference checker opens messages of the package, in both directions.
@Suite struct `Messages of a secure channel` {
    private let sdk: P256.PrivateKey
    private let acs: P256.PrivateKey
    private static let transactionID = "2f37539c-30e8-4c1c-a7c1-8a5fb7a2ce1b"
    private static let referenceNumber = "SDK äöü 1"

    init() throws {
        (sdk, acs) = (try P256.PrivateKey(), try P256.PrivateKey())
    }

    private func channel(
        _ side: SecureChannel.Side,
        _ encryption: JWE.Encryption?
    ) throws -> SecureChannel {
        let (own, other) = side == .sdk ? (sdk, acs) : (acs, sdk)
        return SecureChannel(
            of: side,
            try ChannelKey(
                own: own,
                other: other.publicKey,
                sdkReferenceNumber: Self.referenceNumber
            ),
            transactionID: Self.transactionID,
            state: SecureChannel.State(choosing: encryption)
        )
    }

    /// The messages that arrive at a side, with their plaintexts.
    private struct Received {
        var messages: [String] = []
        var plaintexts: [String] = []

        mutating func add(_ message: String, _ opened: SecureChannel.Opened) {
            guard case .message(let document) = opened else { return }
            messages.append(message)
            plaintexts.append(TextEncoding.hexadecimal.encode(document.text.span))
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `are opened by the reference checker`(_ encryption: JWE.Encryption) throws {
        var sdkChannel = try channel(.sdk, encryption)
        var acsChannel = try channel(.acs, nil)
        var (atACS, atSDK) = (Received(), Received())
        for number in 0..<256 {
            let members = [JSONValue.Member(name: "é", value: .string("\(number)"))]
            let request = try sdkChannel.seal(Message(.creq, .twoTwo, members))
            let openedRequest = try acsChannel.open(Array(request.utf8))
            atACS.add(request, openedRequest)
            let response = try acsChannel.seal(Message(.cres, .twoTwo, members))
            let openedResponse = try sdkChannel.open(Array(response.utf8))
            atSDK.add(response, openedResponse)
        }
        let rows = [
            try row(.acs, atACS, nil), try row(.sdk, atSDK, encryption),
        ]
        let document = JSONValue.object([
            .init(name: "type", value: .string("emv-channel")),
            .init(name: "cases", value: .array(rows)),
        ])
        let text = String(decoding: try document.written(), as: UTF8.self)
        let folder = try TemporaryFolder()
        let checked = try ReferenceChecker.check([
            folder.write(text, to: "sealed.json")
        ])
        #expect(checked.output == "2 rows checked, 0 different\n", "\(checked.errorOutput)")
        #expect(atACS.messages.count == 256 && atSDK.messages.count == 256)
    }

    private func row(
        _ side: SecureChannel.Side,
        _ received: Received,
        _ encryption: JWE.Encryption?
    ) throws -> JSONValue {
        let (own, other) = side == .sdk ? (sdk, acs) : (acs, sdk)
        let scalar = try own.scalar().withBytes { TextEncoding.base64URL.encode($0) }
        let ownPublicKey = String(decoding: try own.publicKey.jwk.written(), as: UTF8.self)
        let key = try ChannelKey(
            own: other,
            other: own.publicKey,
            sdkReferenceNumber: Self.referenceNumber
        )
        let texts =
            [
                ("receiver", side == .sdk ? "sdk" : "acs"),
                ("own_key", ownPublicKey.dropLast() + ",\"d\":\"\(scalar)\"}"),
                ("other_key", String(decoding: try other.publicKey.jwk.written(), as: UTF8.self)),
                ("sdk_reference_number", Self.referenceNumber),
                ("acs_trans_id", Self.transactionID),
                ("key_hex", key.withBytes { TextEncoding.hexadecimal.encode($0) }),
            ] + (encryption.map { [("encryption", $0.rawValue)] } ?? [])
        let lists = [("messages", received.messages), ("plaintexts", received.plaintexts)]
        return .object(
            texts.map { JSONValue.Member(name: $0, value: .string($1)) }
                + lists.map { JSONValue.Member(name: $0, value: .array($1.map(JSONValue.string))) }
        )
    }
}
