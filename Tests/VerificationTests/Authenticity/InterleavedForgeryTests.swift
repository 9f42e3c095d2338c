import OneTimePassword
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker changes a row between the read and the write of one call.
///
/// The call compares the digests of both, and does not compute a MAC again.
@Suite(.onEveryStore) struct `A row that is changed between the read and the write of a call` {
    private let premises: Premises
    private let bank: Bank
    private let token: SimulatedToken

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: #"{"minimumTokenDigits": 6}"#)
        token = try await SimulatedToken(serial: "K-1", in: bank)
    }

    /// Types a valid code; each write comes after `edit`.
    private func type(after edit: String) async throws -> AttemptResult {
        let premises = premises
        var other = bank
        other.use(bank.verifier(interleaving: { try premises.tamper(edit) }))
        return try await token.type(try token.code(at: 3), in: other)
    }

    /// A Kelvin sign is a K in Swift, but not in bytes.
    ///
    /// So the serial number would be free for another token.
    @Test func `SEC-101: is forged, also if its text is equal in Swift`() async throws {
        let name = "\u{212A}-1"
        #expect(name == "K-1")
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await type(after: "UPDATE devices SET name = '\(name)' WHERE name = 'K-1'")
        }
        #expect(failure == .store(.forged(row: "devices id=\(token.id)")))
    }

    @Test func `is accepted if it is the same`() async throws {
        let edit = "UPDATE devices SET name = 'K-1' WHERE name = 'K-1'"
        #expect(try await type(after: edit) == .accepted(nil))
    }
}
