import CLinux
import Glibc
public import OneTimePassword
import PrivateFiles

/// Keeps secrets in a user keyring of the Linux kernel, never on a disk.
///
/// They last until the machine restarts, or until three days without use. Then each account needs a
/// new activation. Choose it for installations that end with a session.
public struct KernelKeyring: DeviceSecretStore {
    private static let lifetimeSeconds: UInt = 3 * 24 * 60 * 60
    private let prefix: String

    /// Installations with different names do not see each other's secrets.
    public init(installation: String) {
        prefix = "countersign:\(installation):"
    }

    public func secret(named name: String) throws(DeviceSecretFailure) -> SecretBytes? {
        guard let key = try find(name) else { return nil }
        // Each use extends the lifetime by three days.
        try check(countersign_keyctl(KEYCTL_SET_TIMEOUT, key, Self.lifetimeSeconds, 0, 0))
        var bytes = [UInt8](repeating: 0, count: SecretBytes.maximumByteCount)
        defer { bytes.wipe() }
        let count = bytes.withUnsafeMutableBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            return countersign_keyctl(KEYCTL_READ, key, start, UInt(bytes.count), 0)
        }
        try check(count)
        // An empty or a longer key is not ours: only one account has lost its secret.
        guard (1...bytes.count).contains(count) else { return nil }
        return try SecretBytes(
            copying: bytes.span.extracting(first: count),
            from: "the keyring of the kernel"
        )
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
        // Only processes of the same user can use the keyring.
        let ownerAlone: UInt = 0x3f3f_0000
        try check(countersign_keyctl(KEYCTL_SETPERM, UInt(key), ownerAlone, 0, 0))
        try check(countersign_keyctl(KEYCTL_SET_TIMEOUT, UInt(key), Self.lifetimeSeconds, 0, 0))
    }

    public func delete(named name: String) throws(DeviceSecretFailure) {
        guard let key = try find(name) else { return }
        try check(countersign_keyctl(KEYCTL_INVALIDATE, key, 0, 0, 0))
    }

    /// Nil if there is no key, or it has expired.
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
    private func check(_ result: Int) throws(DeviceSecretFailure) -> Int {
        guard result >= 0 else {
            throw DeviceSecretFailure(reason: "the keyring of the kernel: error \(errno)")
        }
        return result
    }
}
