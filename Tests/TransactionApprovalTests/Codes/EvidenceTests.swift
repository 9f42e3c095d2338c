import Cryptography
import OneTimePassword
import Testing
import TransactionApproval

@Suite struct `Evidence of a decision` {
    private let key: P256.PrivateKey
    private let envelope: CodeEnvelope
    private let transaction: TransactionHash
    private let device = DeviceID(checked: bytes(from: 0xD0, 16))

    init() throws {
        key = try P256.PrivateKey()
        envelope = try MessageValues().envelope
        transaction = try #require(TransactionHash(bytes(from: 0, 32)))
    }

    private func signature() throws -> P256.Signature {
        try evidence().signature(by: key)
    }

    private func evidence(
        _ choice: DecisionExchange.Choice = .approve(.userPIN),
        on transaction: TransactionHash? = nil,
        by device: DeviceID? = nil,
        _ envelope: CodeEnvelope? = nil
    ) -> DecisionEvidence {
        DecisionEvidence(
            of: choice,
            on: transaction ?? self.transaction,
            by: device ?? self.device,
            envelope ?? self.envelope
        )
    }

    /// The same envelope except for these values.
    private func other(
        generation: UInt64 = 3,
        epoch: UInt64 = 1,
        counter: UInt64? = nil,
        code: String? = nil
    ) throws -> CodeEnvelope {
        let code = try OneTimeCode(code ?? envelope.code.code.text)
        return CodeEnvelope(
            attempt: try .random(),
            generation: Generation(generation),
            epoch: Epoch(epoch),
            counter: counter.map { Counter($0) } ?? envelope.counter,
            code: try #require(InBandCode(code)),
            blind: try .random()
        )
    }

    @Test func `is the device's signature`() throws {
        #expect(try evidence().signed(with: try signature(), by: key.publicKey) != nil)
        let stranger = try P256.PrivateKey().publicKey
        #expect(try evidence().signed(with: try signature(), by: stranger) == nil)
    }

    @Test func `SEC-34 is valid for this decision only`() throws {
        let signature = try signature()
        let otherTransaction = try #require(TransactionHash(bytes(from: 1, 32)))
        let others = [
            evidence(.reject(.notMe)), evidence(.approve(.consent)), evidence(.approve(.biometric)),
            evidence(on: otherTransaction),
            evidence(by: DeviceID(checked: bytes(from: 0xD1, 16))),
            evidence(.approve(.userPIN), try other(generation: 4)),
            evidence(.approve(.userPIN), try other(epoch: 2)),
            evidence(.approve(.userPIN), try other(counter: 5)),
        ]
        for other in others {
            #expect(try other.signed(with: signature, by: key.publicKey) == nil)
        }
    }

    @Test func `SEC-23 does not depend on the code`() throws {
        let otherCode = try other(code: String(repeating: "a1", count: 32))
        let evidence = evidence(.approve(.userPIN), otherCode)
        #expect(try evidence.signed(with: try signature(), by: key.publicKey) != nil)
    }
}
