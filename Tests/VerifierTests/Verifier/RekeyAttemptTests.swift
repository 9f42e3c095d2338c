import Testing
import TransactionApproval
import Verifier

@Suite struct `An attempt to rekey` {
    @Test func `asked for again is told again, and rekeys once`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (request, attempt) = try await phone.newSeed(in: bank)
        for _ in 1...3 {
            #expect(try await bank.verifier.rekey(request, attempt) == .accepted(nil))
        }
        let (context, _, _) = try await phone.context(.user, in: bank)
        #expect(context.generation == Generation(1))
    }

    @Test func `under another id is refused, and not charged`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (request, attempt) = try await phone.newSeed(in: bank)
        #expect(try await bank.verifier.rekey(request, attempt) == .accepted(nil))
        let before = try await bank.credential(of: phone)
        let other = Attempt(
            id: try .random(),
            device: phone.id,
            kind: .user,
            code: attempt.code
        )
        let refused = Answer.refused(.generationMismatch)
        #expect(try await bank.verifier.rekey(request, other) == refused)
        #expect(try await bank.credential(of: phone) == before)
    }
}
