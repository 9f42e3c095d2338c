import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `Encrypted device data` {
    private static let directory = "A000000802"

    private let keys: DirectoryKeys
    private let data: DeviceData

    init() throws {
        keys = try DirectoryKeys.shared.get()
        var data = DeviceData(version: "1.4")
        data.values = [.init(name: "C001", value: .string("Linux"))]
        data.warnings = ["SW01"]
        self.data = data
    }

    private enum Kind: CaseIterable { case rsa, elliptic }

    private func recipient(_ kind: Kind) throws -> DeviceData.RecipientKey {
        switch kind {
        case .rsa: .rsa(try keys.rsaPublic())
        case .elliptic:
            .elliptic(keys.elliptic.publicKey, directoryServerID: Self.directory)
        }
    }

    private func key(
        _ kind: Kind,
        _ directory: String = Self.directory
    ) -> DeviceData.OpeningKey {
        switch kind {
        case .rsa: .rsa(keys.rsa)
        case .elliptic: .elliptic(keys.elliptic, directoryServerID: directory)
        }
    }

    private func isRefused(_ text: String, _ key: DeviceData.OpeningKey) throws -> Bool {
        do throws(ChannelFailure) {
            _ = try DeviceData(decrypting: Array(text.utf8), by: key)
            return false
        } catch .refused {
            return true
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `are read by the directory server only`(_ encryption: JWE.Encryption) throws {
        for kind in Kind.allCases {
            let text = try data.encrypted(to: recipient(kind), by: encryption)
            let read = try DeviceData(decrypting: Array(text.utf8), by: key(kind))
            #expect(try read.written() == data.written())
            let other = try P256.PrivateKey()
            #expect(
                try isRefused(text, .elliptic(other, directoryServerID: Self.directory))
            )
            let wrongKind: Kind = kind == .rsa ? .elliptic : .rsa
            #expect(try isRefused(text, key(wrongKind)))
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `for another directory are refused`(_ encryption: JWE.Encryption) throws {
        let text = try data.encrypted(to: recipient(.elliptic), by: encryption)
        #expect(try isRefused(text, key(.elliptic, "A000000003")))
        #expect(try isRefused(text, key(.elliptic, "")))
    }

    @Test func `in GCM mode have the left half of the derived key`() throws {
        let text = try data.encrypted(to: recipient(.elliptic), by: .a128GCM)
        let token = try JWE(reading: Array(text.utf8), maximumByteCount: 64_000)
        // The same inputs with 128 bits would give another key.
        let short = KeyDerivation(
            algorithmID: [],
            partyUInfo: [],
            partyVInfo: Array(Self.directory.utf8),
            byteCount: 16
        )
        #expect(throws: JOSEFailure.refused) {
            _ = try token.opened(by: keys.elliptic, deriving: short, permitting: [.a128GCM])
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `of another content are refused`(_ encryption: JWE.Encryption) throws {
        for text in ["", "{}", #"{"DV":"1.1"}"#, #"{"DV":"1.1","DD":{},"DD":{}}"#] {
            let bytes = Array(text.utf8)
            let sealed = try JWE.sealed(
                bytes.span,
                to: keys.rsaPublic(),
                encryption: encryption
            )
            #expect(try isRefused(sealed, key(.rsa)))
        }
    }

    @Test func `have at most 64,000 bytes`() throws {
        func withValue(_ count: Int) -> DeviceData {
            var data = data
            let text = String(repeating: "x", count: count)
            data.values.append(.init(name: "A001", value: .string(text)))
            return data
        }
        let text = try withValue(47_000).encrypted(to: recipient(.rsa), by: .a128GCM)
        #expect(text.utf8.count <= 64_000)
        #expect(try !isRefused(text, key(.rsa)))
        #expect(throws: ChannelFailure.refused) {
            try withValue(48_000).encrypted(to: recipient(.rsa), by: .a128GCM)
        }
        #expect(try isRefused(text + String(repeating: "A", count: 64_001), key(.rsa)))
    }

    @Test func `SEC-82: have one error after each change`() throws {
        var random = SeededGenerator(seed: 212)
        for kind in Kind.allCases {
            for encryption in JWE.Encryption.allCases {
                let text = Array(try data.encrypted(to: recipient(kind), by: encryption).utf8)
                for _ in 0..<250 {
                    var changed = text
                    let place = Int.random(in: 0..<text.count, using: &random)
                    changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    #expect(
                        throws: ChannelFailure.refused,
                        "\(String(decoding: changed, as: UTF8.self))"
                    ) {
                        _ = try DeviceData(decrypting: changed, by: key(kind))
                    }
                }
            }
        }
    }
}
