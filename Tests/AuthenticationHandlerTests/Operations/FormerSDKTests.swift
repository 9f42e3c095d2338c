import Testing
import TransactionApproval

@testable import AuthenticationHandler

@Suite struct `The names of the former SDK` {
    @Test func `call the operations with the Swift names`() async throws {
        let handler = try Home().handler(ScriptedServer())
        #expect(try await handler.getAllEnrolledAccounts() == [])
        #expect(handler.getAllAuthenticationModes() == AuthenticationType.allCases)
        #expect(await handler.getWarnings() == handler.warnings())
        let none = AuthenticationError(.noAccountActivated)
        await #expect(throws: none) { try await handler.getTransaction() }
        await #expect(throws: none) {
            try await handler.getTransaction(id: "T-1", accountID: "4711", accountType: "main")
        }
        await #expect(throws: none) {
            try await handler.fetchAuthnRequest { _ in .undecided }
        }
        await #expect(throws: none) {
            try await handler.verifyPIN(.typed("271905"), signing: nil)
        }
        await #expect(throws: none) { try await handler.generateOTP(using: .typed("271905")) }
        await #expect(throws: none) { try await handler.getProfileInfo() }
        await #expect(throws: none) { try await handler.getEnabledAuthenticationTypes() }
    }
}
