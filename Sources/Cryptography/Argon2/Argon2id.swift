import CArgon2
import PrivateFiles

/// Derives a key from a password; each guess costs memory and time (RFC 9106).
package enum Argon2id {
    /// The cost of one derivation, within fixed limits.
    ///
    /// The limits also apply to stored records: a forged record cannot make its reader allocate a
    /// terabyte. The caller decides whether a cost is high enough for a PIN.
    package struct Cost: Equatable, Sendable {
        package let passes: Int
        package let memoryKiB: Int
        package let lanes: Int

        package init(passes: Int, memoryKiB: Int, lanes: Int) throws(CryptographyFailure) {
            guard
                (1...10).contains(passes), (1...8).contains(lanes),
                (8 * lanes...Argon2id.maximumMemoryKiB).contains(memoryKiB)
            else { throw .costOutOfRange }
            self.init(uncheckedPasses: passes, memoryKiB: memoryKiB, lanes: lanes)
        }

        private init(uncheckedPasses passes: Int, memoryKiB: Int, lanes: Int) {
            self.passes = passes
            self.memoryKiB = memoryKiB
            self.lanes = lanes
        }

        /// RFC 9106, section 4, second recommended option: 64 MiB, three passes, four lanes.
        package static let constrainedMemory = Cost(
            uncheckedPasses: 3,
            memoryKiB: 64 << 10,
            lanes: 4
        )
        /// The minimum for a PIN: 19 MiB, two passes, one lane.
        package static let floor = Cost(uncheckedPasses: 2, memoryKiB: 19 << 10, lanes: 1)
        /// The minimum that starts threads.
        fileprivate static let rehearsal = Cost(uncheckedPasses: 1, memoryKiB: 16, lanes: 2)
    }

    static let maximumMemoryKiB = 1 << 20

    /// Derives a key of `byteCount` bytes on a thread outside the cooperative pool.
    ///
    /// Derivations that together need more than 1 GiB wait for each other.
    package static func deriveKey(
        from password: borrowing SecureBytes,
        salt: [UInt8],
        cost: Cost,
        byteCount: Int
    ) async throws(CryptographyFailure) -> SecureBytes {
        let noSecret = try SecureBytes(count: 0) { _ in }
        return try await deriveKey(
            from: password,
            salt: salt,
            secret: noSecret,
            associatedData: [],
            cost: cost,
            byteCount: byteCount
        )
    }

    /// Derives a key with all inputs that RFC 9106, section 3.1, defines.
    package static func deriveKey(
        from password: borrowing SecureBytes,
        salt: [UInt8],
        secret: borrowing SecureBytes,
        associatedData: [UInt8],
        cost: Cost,
        byteCount: Int
    ) async throws(CryptographyFailure) -> SecureBytes {
        guard
            (8...1024).contains(salt.count), associatedData.count <= 1024,
            (4...1024).contains(byteCount)
        else { throw .invalidArgument }
        let key = try SecureBytes(count: byteCount) { _ in }
        let derivation = Derivation(
            password: (password.address, password.count),
            secret: (secret.address, secret.count),
            salt: salt,
            associatedData: associatedData,
            cost: cost,
            key: (key.mutableAddress, key.count)
        )
        await memory.take(cost.memoryKiB)
        let result = await derivation.run()
        await memory.giveBack(cost.memoryKiB)
        try result.get()
        return key
    }

    private static let memory = MemoryBudget(limitKiB: maximumMemoryKiB)
}

/// One call of libargon2, with its inputs and outputs.
///
/// `@unchecked`: `deriveKey` owns or borrows all the memory until the call ends.
private struct Derivation: @unchecked Sendable {
    let password: (start: UnsafePointer<UInt8>, count: Int)
    let secret: (start: UnsafePointer<UInt8>, count: Int)
    let salt: [UInt8]
    let associatedData: [UInt8]
    let cost: Argon2id.Cost
    let key: (start: UnsafeMutablePointer<UInt8>, count: Int)

    /// Runs on a separate thread: in the cooperative pool it would block other tasks.
    func run() async -> Result<Void, CryptographyFailure> {
        do throws(ThreadUnavailable) {
            return try await Thread.run { () throws(CryptographyFailure) in
                // Its status does not matter: the call below has the same result.
                _ = Self.rehearsal
                let status = call()
                guard status == 0 else {
                    throw .library(operation: "argon2id_ctx", code: UInt(bitPattern: Int(status)))
                }
            }
        } catch {
            return .failure(.library(operation: "pthread_create", code: UInt(error.errorNumber)))
        }
    }

    /// One derivation without a secret, before all others.
    ///
    /// The dynamic linker saves the vector registers on the stack at the first call of a function.
    /// Without this call, the key that was last copied through them would remain there.
    private static let rehearsal: CInt = {
        let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
        defer { nothing.deallocate() }
        return Derivation(
            password: (UnsafePointer(nothing), 0),
            secret: (UnsafePointer(nothing), 0),
            salt: [UInt8](repeating: 0, count: 8),
            associatedData: [],
            cost: .rehearsal,
            key: (nothing, 32)
        ).call()
    }()

    private func call() -> CInt {
        salt.withUnsafeBufferPointer { salt in
            associatedData.withUnsafeBufferPointer { associatedData in
                var context = argon2_context()
                context.out = key.start
                context.outlen = UInt32(key.count)
                context.pwd = UnsafeMutablePointer(mutating: password.start)
                context.pwdlen = UInt32(password.count)
                context.salt = UnsafeMutablePointer(mutating: salt.baseAddress)
                context.saltlen = UInt32(salt.count)
                context.secret = UnsafeMutablePointer(mutating: secret.start)
                context.secretlen = UInt32(secret.count)
                context.ad = UnsafeMutablePointer(mutating: associatedData.baseAddress)
                context.adlen = UInt32(associatedData.count)
                context.t_cost = UInt32(cost.passes)
                context.m_cost = UInt32(cost.memoryKiB)
                context.lanes = UInt32(cost.lanes)
                context.threads = UInt32(cost.lanes)
                context.version = ARGON2_VERSION_13.rawValue
                return argon2id_ctx(&context)
            }
        }
    }
}
