import Testing
import TransactionApproval

@testable import Verifier

@Suite struct `The number that the bank shows` {
    @Test func `is erased with the end of its transaction`() async throws {
        let bank = try await Bank(policy: #"{"numberMatchingDigits":2}"#)
        let phone = try await bank.activate()
        let request = TransactionRequest(account: Bank.account, content: try .payment(of: 1))
        let answer = try await bank.verifier.request(request, by: .operatorCommand)
        guard case .created(let payment, let number?) = answer else { throw Bank.Unexpected() }
        #expect(try await sealedNumber(of: payment, in: bank) != nil)
        #expect(try await phone.decide(on: payment, number: number, in: bank) == .accepted(nil))
        #expect(try await sealedNumber(of: payment, in: bank) == nil)
    }

    private func sealedNumber(
        of transaction: Transaction,
        in bank: Bank
    ) async throws -> SealedValue? {
        try await bank.read { ledger throws(StoreFailure) in
            try ledger.transaction(transaction.id)?.number
        }
    }
}
