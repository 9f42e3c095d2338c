import Foundation
import Glibc
import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography

@Suite struct `Secret stores` {
    /// A new store for each test; the keyring, if the kernel allows it.
    enum Kind: CaseIterable {
        case folder, keyring

        func make(_ home: Home) -> any DeviceSecretStore {
            switch self {
            case .folder: SecretFolder(home.secretsPath)
            case .keyring: KernelKeyring(installation: home.folder.path)
            }
        }
    }

    static let usable: [Kind] = [.folder] + (mayUseKeyring ? [.keyring] : [])

    static let mayUseKeyring: Bool = {
        let keyring = KernelKeyring(installation: "countersign-tests")
        do {
            try keyring.store(try SecretBytes(hexadecimal: "00"), named: "probe")
            try keyring.delete(named: "probe")
            return true
        } catch {
            return false
        }
    }()

    @Test(.enabled("the kernel's keyring is refused here") { mayUseKeyring })
    func `include the kernel keyring`() {
        #expect(Self.usable == Kind.allCases)
    }

    let home: Home

    init() throws {
        home = try Home()
    }

    @Test(arguments: usable)
    func `return the last stored secret of a name`(_ kind: Kind) throws {
        let store = kind.make(home)
        let (one, two) = (try SecretBytes(hexadecimal: "01"), try SecretBytes(hexadecimal: "0203"))
        #expect(try store.secret(named: "a") == nil)
        try store.store(one, named: "a")
        try store.store(one, named: "b")
        try store.store(two, named: "a")
        #expect(try store.secret(named: "a") == two)
        #expect(try store.secret(named: "b") == one)
        for name in ["a", "b"] { try store.delete(named: name) }
    }

    @Test(arguments: usable)
    func `do not return a deleted secret`(_ kind: Kind) throws {
        let store = kind.make(home)
        try store.store(try SecretBytes(hexadecimal: "01"), named: "a")
        try store.delete(named: "a")
        #expect(try store.secret(named: "a") == nil)
        try store.delete(named: "a")
    }

    @Test(arguments: ["", "lock", "../vault", "a/b", "A", ".", "a.b"])
    func `reject a name that leaves the folder`(_ name: String) throws {
        let store = SecretFolder(home.secretsPath)
        #expect(throws: DeviceSecretFailure.self) {
            try store.store(try SecretBytes(hexadecimal: "01"), named: name)
        }
        #expect(throws: DeviceSecretFailure.self) { try store.secret(named: name) }
    }

    @Test func `reject a secret that other users can read`() throws {
        let store = SecretFolder(home.secretsPath)
        try store.store(try SecretBytes(hexadecimal: "01"), named: "a")
        try #require(chmod(home.secretsPath + "/a", 0o640) == 0)
        #expect(throws: DeviceSecretFailure.self) { try store.secret(named: "a") }
    }

    @Test func `report that all memory for secrets is in use`() async {
        await #expect(processExitsWith: .success) {
            let home = try Home()
            let store = SecretFolder(home.secretsPath)
            try store.store(try SecretBytes(hexadecimal: "01"), named: "a")
            let full = "the folder of secrets: all memory for secrets is in use"
            try await withoutMemoryForSecrets {
                #expect(throws: DeviceSecretFailure(reason: full)) { try store.secret(named: "a") }
            }
            withExtendedLifetime(home) {}
        }
    }

    /// 0 bytes, or more than a secret can have.
    @Test(arguments: [0, SecretBytes.maximumByteCount + 1, 1 << 20])
    func `return nothing from a file that cannot be a secret`(length: Int) throws {
        let store = SecretFolder(home.secretsPath)
        for name in ["a", "b"] { try store.store(try SecretBytes(hexadecimal: "01"), named: name) }
        try #require(truncate(home.secretsPath + "/a", length) == 0)
        #expect(try store.secret(named: "a") == nil)
        #expect(try store.secret(named: "b") != nil)
        try store.delete(named: "a")
    }
}

@Suite struct `Device secrets` {
    @Test func `are read in the stored form`() throws {
        let secrets = try DeviceSecrets.random(P256.PrivateKey(), by: .system)
        let read = try #require(try DeviceSecrets.read(try secrets.stored()))
        #expect(read.areSame(as: secrets))
    }

    @Test func `with another length, version or key are rejected`() throws {
        let good = try DeviceSecrets.random(P256.PrivateKey(), by: .system).stored().withBytes {
            $0.array
        }
        let (short, long) = (Array(good.dropLast()), good + [0])
        var (version, noKey) = (good, good)
        version[0] = 2
        for place in 65..<97 { noKey[place] = 0xff }
        for bad in [short, long, version, noKey] {
            #expect(try DeviceSecrets.read(try SecretBytes(copying: bad.span)) == nil)
        }
    }
}

extension Optional where Wrapped == DeviceSecrets {
    fileprivate static func == (left: Self, right: _OptionalNilComparisonType) -> Bool {
        if case .none = left { true } else { false }
    }
}
