import Foundation
import OneTimePassword
import TestSupport

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// A copy of a device: all files, and the device secrets.
struct Loot {
    let account: OpenAccount
    /// The files of the vault and of the secret store, and other data that a build stores.
    var bytes: [UInt8]

    init(of home: Home) throws {
        account = try home.vault().accounts()[0]
        bytes = try home.contents().sorted { $0.key < $1.key }.flatMap { Array($0.value) }
    }

    /// The stretched key of a PIN.
    func stretched(_ pin: String) async throws -> [UInt8] {
        let ingredients = account.record.user.ingredients
        let key = try await Argon2id.deriveKey(
            from: secretBytes(pin),
            salt: ingredients.salt,
            cost: ingredients.cost,
            byteCount: 32
        )
        return key.withBytes { $0.array }
    }

    func seed(_ pin: String) async throws -> [UInt8] {
        try await account.userSeed(PIN.typed(pin)).withBytes { $0.array }
    }

    /// The codes of a PIN at the used counters: typed codes, and codes over data that the protocol
    /// defines.
    func usedCodes(_ pin: String) async throws -> [String] {
        let user = account.record.user
        let context = account.record.context(.user, of: user)
        let seed = try await account.userSeed(PIN.typed(pin))
        let typed = try TypedCodes(of: context, seed: seed)
        let inBand = try InBandCodes(of: context, seed: seed)
        var codes: [String] = []
        for counter in (0..<user.counter.value).map({ Counter($0) }) {
            codes.append(typed.hotp.code(at: counter).text)
            codes.append(try inBand.code(for: .pinCheck, in: user.epoch, at: counter).text)
        }
        return codes
    }
}

/// Tries PINs offline with every value that could confirm a PIN (SECURITY.md, 2.1).
///
/// The attacker knows every algorithm. If a build stores nothing that depends on the PIN, all PINs
/// look the same.
struct Attacker {
    let pins: [String]

    /// The PINs that a stolen value confirms.
    func suspects(in loot: Loot) async throws -> Set<String> {
        var suspects: Set<String> = []
        for pin in pins {
            let key = try await loot.stretched(pin)
            let seed = try await loot.seed(pin)
            let codes = try await loot.usedCodes(pin)
            if try loot.bytes.hasSeal(under: key) || loot.bytes.hasCheck(of: key, seed)
                || codes.contains(where: { loot.bytes.contains(Array($0.utf8)) })
            {
                suspects.insert(pin)
            }
        }
        return suspects
    }

    /// The old and the new PIN, if both depend on one secret.
    ///
    /// The attacker needs as many tries as there are PINs, instead of the square of that number.
    func suspects(in old: Loot, then new: Loot) async throws -> Set<String> {
        var found: [[UInt8]: String] = [:]
        for pin in pins {
            let key = try await old.stretched(pin)
            for wrapped in old.bytes.windows(of: 32) { found[wrapped.masked(by: key)] = pin }
        }
        var suspects: Set<String> = []
        for pin in pins {
            let key = try await new.stretched(pin)
            for wrapped in new.bytes.windows(of: 32) {
                guard let other = found[wrapped.masked(by: key)], other != pin else { continue }
                suspects.formUnion([other, pin])
            }
        }
        return suspects
    }
}

extension [UInt8] {
    fileprivate func windows(of count: Int) -> [ArraySlice<UInt8>] {
        self.count < count ? [] : (0...self.count - count).map { self[$0..<$0 + count] }
    }

    func contains(_ part: [UInt8]) -> Bool {
        Data(self).range(of: Data(part)) != nil
    }

    /// A nonce followed by a ciphertext that opens with the key.
    fileprivate func hasSeal(under key: [UInt8]) throws -> Bool {
        let key = try SecureBytes(copying: key.span)
        return windows(of: 12 + 32 + 16).contains { window in
            let (nonce, sealed) = (Array(window.prefix(12)), Array(window.dropFirst(12)))
            do {
                _ = try AESGCM.open(sealed.span, key: key, nonce: nonce.span)
                return true
            } catch {
                return false
            }
        }
    }

    /// Four bytes identify one PIN of a million.
    fileprivate func hasCheck(of secrets: [UInt8]...) throws -> Bool {
        try secrets.contains { secret in
            let digest = try HashAlgorithm.sha256.digest(of: secret.span).array
            return contains(Array(secret.prefix(8))) || contains(Array(digest.prefix(4)))
        }
    }
}

extension Sequence<UInt8> {
    /// Encrypts with a key of the same length, like a stream cipher: every key decrypts.
    func masked(by key: [UInt8]) -> [UInt8] { zip(self, key).map { $0 ^ $1 } }
}
