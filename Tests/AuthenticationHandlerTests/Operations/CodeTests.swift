import Foundation
import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Codes without a network` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    private func typedCodes(_ account: OpenAccount) async throws -> TypedCodes {
        let context = account.record.context(.user, of: account.record.user)
        return try TypedCodes(
            of: context,
            seed: try await account.userSeed(PIN.typed("271905"))
        )
    }

    @Test func `use HOTP with the next counter`() async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let codes = try await typedCodes(account)
        for counter in 7..<10 as Range<UInt64> {
            let code = try await handler.oneTimeCode(pin: .typed("271905"))
            #expect(code == codes.hotp.code(at: Counter(counter)))
            #expect(code.text.count == 8)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `use OCRA over data`() async throws {
        let account = try await home.addAccount(of: server)
        let code = try await home.handler(server)
            .oneTimeCode(pin: .typed("271905"), signing: [1, 2])
        let expected = try await typedCodes(account)
            .code(over: [1, 2], in: .first, at: Counter(7))
        #expect(code == expected)
    }

    @Test func `are wrong with a wrong PIN, without an error (SEC-24)`() async throws {
        let account = try await home.addAccount(of: server)
        let code = try await home.handler(server).oneTimeCode(pin: .typed("271906"))
        let codes = try await typedCodes(account)
        #expect(code != codes.hotp.code(at: Counter(7)))
    }

    @Test func `need data to sign, and otherwise use no counter`() async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.oneTimeCode(pin: .typed("271905"), signing: [])
        }
        #expect(error?.code == .signingDataMissing)
        await #expect(throws: AuthenticationError(.signingDataMissing)) {
            try await handler.logIn(with: .pin(.typed("271905")), signing: [])
        }
        #expect(try home.vault().accounts()[0].record == account.record)
    }

    @Test func `need an account`() async throws {
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.oneTimeCode(pin: .typed("271905"))
        }
        #expect(error?.code == .noAccountActivated)
    }

    /// Runs in its own process, whose memory is searched afterwards.
    @Test func `leave neither PIN nor seed in ordinary memory (SEC-26)`() async {
        await #expect(processExitsWith: .success) {
            let home = try Home()
            let account = try await home.addAccount(of: ScriptedServer())
            let handler = try home.handler(ScriptedServer())
            // Longer than any policy allows: the search looks for pieces of 16 bytes.
            let random = try SecureBytes.random(count: 48)
            let digits = try SecureBytes(writing: 48) { output in
                random.withBytes { random in
                    for index in output.indices {
                        output[index] = UInt8(ascii: "0") + random[index] % 10
                    }
                }
            }
            let pin = try digits.withBytes { try PIN(copying: $0) }
            let code = try await handler.oneTimeCode(pin: pin)
            #expect(try digits.withBytes(remnants) == 0)
            #expect(code.text.count == 8)
            let seed = try await account.record.user.ingredients.userSeed(
                of: account.record.context(.user, of: account.record.user),
                pin: digits,
                account.secrets
            )
            #expect(try seed.withBytes(remnants) == 0)

            // Shows that the search works.
            let copy = digits.withBytes { $0.array }
            #expect(try digits.withBytes(remnants) > 0)
            #expect(copy.count == 48)
        }
    }
}

private func remnants(of secret: Span<UInt8>) throws -> Int {
    try secret.withUnsafeBytes { try remnantsOutsideSecureHeap(of: $0) }
}

@Suite struct `Disk syncs of an approval` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    @Test func `need two syncs, and four if the counters differ`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        let waits = WaitCounter()
        let handler = try home.handler(server, witness: waits.witness)
        let granted = LoginExchange.Response(login: TransactionID(checked: "L"))
        server.then(LoginExchange.self, .done(granted))
        _ = try await handler.logIn(with: .pin(.typed("271905")), signing: nil)
        #expect(waits.count == 2)
        let position = CredentialPosition(
            generation: .first,
            epoch: .first,
            minimumCounter: Counter(100)
        )
        server.then(LoginExchange.self, .refused(.counterOutOfStep(position)))
        server.then(LoginExchange.self, .done(granted))
        _ = try await handler.logIn(with: .pin(.typed("271905")), signing: nil)
        #expect(waits.count == 2 + 4)
    }
}

/// Counts the disk syncs of a change.
///
/// `@unchecked`: the count is used under the lock.
private final class WaitCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var waits = 0

    var count: Int { lock.withLock { waits } }

    var witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void {
        { [self] point throws(FileFailure) in
            if point == .synchronised || point == .durable { lock.withLock { waits += 1 } }
        }
    }
}
