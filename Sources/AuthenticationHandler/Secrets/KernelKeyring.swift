import CLinux
import Glibc
public import OneTimePassword

/// Keeps secrets in the memory of the Linux kernel, in a keyring of the user: no disk ever has them.
///
/// They last until the machine restarts, or for three days in which nothing was asked of them.
/// Afterwards the accounts are there and their secrets are not: each needs a new activation. It is
/// for installations that are to end with a session; nothing uses it unless it is chosen.
public struct KernelKeyring: DeviceSecretStore {
    private static let lifetimeSeconds: UInt = 3 * 24 * 60 * 60
    private let prefix: String

    /// Installations of different names on one machine do not see each other's secrets.
    public init(installation: String) {
        prefix = "countersign:\(installation):"
    }

    public func secret(named name: String) throws(DeviceSecretFailure) -> SecretBytes? {
        guard let key = try find(name) else { return nil }
        // The use of it: three more days.
        try check(countersign_keyctl(KEYCTL_SET_TIMEOUT, key, Self.lifetimeSeconds, 0, 0))
        var bytes = [UInt8](repeating: 0, count: SecretBytes.maximumByteCount)
        defer { bytes.wipe() }
        let count = bytes.withUnsafeMutableBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            return countersign_keyctl(KEYCTL_READ, key, start, UInt(bytes.count), 0)
        }
        try check(count)
        // Larger than its room: nobody's of us. It fails too where no memory for secrets is left.
        guard
            count <= bytes.count,
            let secret = try? SecretBytes(copying: bytes.span.extracting(first: count))
        else { throw DeviceSecretFailure(reason: "the keyring of the kernel: no usable key") }
        return secret
    }

    public func store(
        _ secret: SecretBytes,
        named name: String
    ) throws(DeviceSecretFailure) {
        let key = try secret.withBytes { bytes throws(DeviceSecretFailure) in
            try bytes.withUnsafeBytes { bytes throws(DeviceSecretFailure) in
                try check(
                    countersign_add_key(
                        "user",
                        prefix + name,
                        bytes.baseAddress,
                        UInt(bytes.count),
                        Int(KEY_SPEC_USER_KEYRING)
                    )
                )
            }
        }
        // Whoever has the same user id may use the keyring, and nobody else.
        let ownerAlone: UInt = 0x3f3f_0000
        try check(countersign_keyctl(KEYCTL_SETPERM, UInt(key), ownerAlone, 0, 0))
        try check(countersign_keyctl(KEYCTL_SET_TIMEOUT, UInt(key), Self.lifetimeSeconds, 0, 0))
    }

    public func delete(named name: String) throws(DeviceSecretFailure) {
        guard let key = try find(name) else { return }
        try check(countersign_keyctl(KEYCTL_INVALIDATE, key, 0, 0, 0))
    }

    /// Nil where there is none, or its time is over.
    private func find(_ name: String) throws(DeviceSecretFailure) -> UInt? {
        let key = "user".withCString { type in
            (prefix + name).withCString { description in
                countersign_keyctl(
                    KEYCTL_SEARCH,
                    UInt(bitPattern: Int(KEY_SPEC_USER_KEYRING)),
                    UInt(bitPattern: type),
                    UInt(bitPattern: description),
                    0
                )
            }
        }
        if key < 0, [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(errno) { return nil }
        return UInt(try check(key))
    }

    @discardableResult
    private func check(_ answer: Int) throws(DeviceSecretFailure) -> Int {
        guard answer >= 0 else {
            throw DeviceSecretFailure(reason: "the keyring of the kernel: error \(errno)")
        }
        return answer
    }
}
