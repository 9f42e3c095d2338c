import Cryptography
import JOSE
import StrictJSON
import Testing

@testable import ThreeDSProtocol

// Exit tests, because they fill the memory of all secrets.
@Suite struct `Locked memory, which all keys share,` {
    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `is not used for messages`(encryption: String) async {
        await #expect(processExitsWith: .success) { [encryption] in
            let encryption = try #require(JWE.Encryption(rawValue: encryption))
            let (sdk, acs) = try ChallengeKeys().parties(encryption)
            _ = try acs.open(sdk.seal())
            let byteCount = 390 << 10
            let response = try acs.seal(String(repeating: "x", count: byteCount))
            let before = sdk.state.encoded
            let secrets = try fillSecureHeap()
            guard case .message(let document) = try sdk.open(response) else {
                Issue.record("a repetition")
                return
            }
            #expect(document.text.count > byteCount)
            // A stranger who only knows the identifier gets the same error as always.
            var forged = response
            forged[forged.count - 2] ^= 1
            #expect(try sdk.restored(before).refuses(forged))
            #expect(secrets.count > 0)
        }
    }

    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `is not used for device data`(encryption: String) async {
        await #expect(processExitsWith: .success) { [encryption] in
            let encryption = try #require(JWE.Encryption(rawValue: encryption))
            let key = try P256.PrivateKey()
            var data = DeviceData(version: "1.4")
            let long = String(repeating: "x", count: 40_000)
            data.values = [.init(name: "C009", value: .string(long))]
            let text = try data.encrypted(
                to: .elliptic(key.publicKey, directoryServerID: "A"),
                by: encryption
            )
            let secrets = try fillSecureHeap()
            let opened = try DeviceData(
                decrypting: Array(text.utf8),
                by: .elliptic(key, directoryServerID: "A")
            )
            #expect(opened.values.first?.value.text == long)
            #expect(secrets.count > 0)
        }
    }
}

private final class Secret {
    let bytes: SecureBytes
    init(_ bytes: consuming SecureBytes) { self.bytes = bytes }
}

/// Allocates blocks until there is room only for a few keys.
private func fillSecureHeap() throws -> [Secret] {
    var secrets: [Secret] = []
    // Freed below, so that keys find room.
    let room = Secret(try SecureBytes(writing: 8 << 10) { _ in })
    var count = 1 << 20
    while count >= 8 << 10 {
        do throws(CryptographyFailure) {
            secrets.append(Secret(try SecureBytes(writing: count) { _ in }))
        } catch {
            count /= 2
        }
    }
    withExtendedLifetime(room) {}
    return secrets
}
