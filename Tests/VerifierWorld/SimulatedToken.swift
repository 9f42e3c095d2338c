import Cryptography
import Foundation
import OneTimePassword
import Storage
import TestSupport
package import TransactionApproval
package import Verification

/// A simulated hardware token; `oathtool` computes its codes if it supports the suite.
package struct SimulatedToken: Sendable {
    package let token: Token
    package let id: DeviceID

    /// Adds a new token.
    package init(
        _ suite: TokenSuite = TokenSuite(),
        serial: String = "A-1",
        from counter: UInt64 = 0,
        for account: AccountReference = Bank.account,
        in bank: Bank
    ) async throws {
        let token = try Token.sample(suite, serial: serial, from: counter)
        try await self.init(adding: token, to: account, in: bank)
    }

    /// Adds a token, which may have been added before.
    package init(
        adding token: Token,
        to account: AccountReference = Bank.account,
        counterIsCurrent: Bool = false,
        in bank: Bank
    ) async throws {
        self.token = token
        let reason = try await bank.load(token, of: account, counterIsCurrent: counterIsCurrent)
        guard reason == nil else { throw Bank.Unexpected() }
        let event = try await bank.events().last { $0.kind == .tokenAdded }.unwrapped()
        id = try DeviceID(event.subject).unwrapped()
    }

    package func code(at counter: UInt64) throws -> String {
        let suite = token.suite
        guard suite.algorithm == .sha1 else {
            let hotp = try HOTP(
                secret: token.secret,
                digits: suite.digits,
                algorithm: suite.algorithm
            )
            return hotp.code(at: Counter(counter)).text
        }
        let process = try FinishedProcess.run(
            "oathtool",
            ["--hotp", "--counter=\(counter)", "--digits=\(suite.digits.rawValue)", "-"],
            input: token.secret.withBytes { Array(TextEncoding.hexadecimal.encode($0).utf8) }
        )
        return process.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func type(
        _ code: String,
        over data: [UInt8]? = nil,
        from account: AccountReference = Bank.account,
        in bank: Bank
    ) async throws -> AttemptResult {
        try await bank.verifier.verify(
            typed: code,
            over: data,
            .of([code], over: data, on: id, of: account, to: bank.verifier),
            by: Bank.core
        ).result
    }

    package func resynchronise(
        at counter: UInt64,
        isWitnessed: Bool = false,
        in bank: Bank
    ) async throws -> AttemptResult {
        let codes = [try code(at: counter), try code(at: counter + 1)]
        return try await bank.verifier.resynchronise(
            codes[0],
            then: codes[1],
            isWitnessed: isWitnessed,
            .of(codes, on: id, to: bank.verifier),
            by: Bank.core
        ).result
    }
}

extension Token {
    package static func sample(
        _ suite: TokenSuite = TokenSuite(),
        serial: String = "A-1",
        from counter: UInt64 = 0
    ) throws -> Token {
        let name = try DeviceName(serial).unwrapped()
        let secret = try Secret.random(byteCount: 20)
        return try Token(serial: name, suite: suite, secret: secret, counter: Counter(counter))
            .unwrapped()
    }
}

extension Bank {
    package func credential(of token: SimulatedToken) async throws -> CredentialState {
        let id = token.id
        return try await read { ledger throws(StoreFailure) in
            try ledger.typedCredentialState(on: id)
        }.unwrapped()
    }
}
