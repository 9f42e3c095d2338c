import Cryptography
import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// The checkpoint key has signed records that do not belong together.
@Suite(.onEveryStore) struct `Signed records that prove nothing together` {
    private let premises: Premises
    private let file: EvidenceFile

    init() async throws {
        premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.decide(on: payment, in: bank)
        guard
            case .evidence(let file) = try await bank.verifier.evidence(
                of: payment.id,
                in: Bank.account
            )
        else { throw Bank.Unexpected() }
        self.file = file
    }

    /// One difference from a valid file; all signatures and hashes are valid.
    struct Difference: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let flaw: EvidenceFlaw?
        var actor: Actor?
        var account: AccountReference?
        var store: [UInt8]?
        /// The number of the verdict's record, after that of the enrolment.
        var distance: UInt64 = 1

        init(_ name: String, _ flaw: EvidenceFlaw?, _ change: (inout Self) -> Void = { _ in }) {
            (testDescription, self.flaw) = (name, flaw)
            change(&self)
        }
    }

    private static let differences = [
        Difference("none", nil),
        Difference("the verdict has the number of the enrolment", .record(.enrolment)) {
            $0.distance = 0
        },
        Difference("the verdict is in another store", .record(.enrolment)) {
            $0.store = [UInt8](repeating: 1, count: 16)
        },
        Difference("the bank made the verdict", .record(.verdict)) { $0.actor = Bank.core.actor },
        Difference("another device made the verdict", .record(.verdict)) {
            $0.actor = Actor("device:" + String(repeating: "0", count: 32))
        },
        Difference("the verdict is about another account", .record(.verdict)) {
            $0.account = Bank.account("4712")
        },
        Difference("the verdict is about an account of another bank", .record(.verdict)) {
            $0.account = AccountReference(
                enterprise: EnterpriseID(checked: "other"),
                key: Bank.account.key
            )
        },
    ]

    private func file(with difference: Difference) throws -> EvidenceFile {
        let (proof, old) = (file.verdict, file.verdict.record)
        let before = AuditHead(
            sequence: file.enrolment.record.sequence + difference.distance - 1,
            moment: old.moment,
            hash: proof.previous.bytes
        )
        let account = difference.account.map { EventConcern.account($0) }
        let record = try before.following(
            Event(
                old.event.kind,
                of: old.event.subject,
                within: account ?? old.event.concern,
                detail: old.event.detail
            ),
            with: old.traces,
            by: difference.actor ?? old.actor,
            at: old.moment
        )
        let zeros = [UInt8](repeating: 0, count: 32)
        let statement = CheckpointStatement(
            checkpoint: Checkpoint(
                store: difference.store ?? proof.checkpoint.store.bytes,
                epoch: Epoch(proof.checkpoint.epoch),
                head: AuditHead(record)
            ),
            previous: zeros,
            records: zeros
        )
        let signed = try SignedCheckpoint(
            statement,
            premises.auditKey.signature(for: statement.message.span),
            by: premises.auditKey.publicKey
        )
        let verdict = AuditProof(
            record: record,
            previous: proof.previous,
            following: [],
            checkpoint: try #require(signed).unverified
        )
        return EvidenceFile(
            format: file.format,
            transaction: file.transaction,
            decision: file.decision,
            outcome: file.outcome,
            device: file.device,
            enrolment: file.enrolment,
            verdict: verdict
        )
    }

    @Test(arguments: differences)
    func `SEC-106: are refused, also by the Python program of the documents`(
        _ difference: Difference
    ) throws {
        let changed = try file(with: difference)
        if let flaw = difference.flaw {
            #expect(throws: flaw) { try changed.verified(by: premises.auditKey.publicKey) }
        } else {
            _ = try changed.verified(by: premises.auditKey.publicKey)
        }
        let (evidence, key) = (premises.path + "/evidence.json", premises.path + "/key.pub")
        try Data(try changed.json).write(to: URL(filePath: evidence))
        try pem().write(toFile: key, atomically: true, encoding: .utf8)
        // With -O, Python ignores its own assertions.
        for option in ["-I", "-O"] {
            let words = [option, "-c", try Self.program(), evidence, key]
            let checked = try FinishedProcess.run("python3", words)
            let isAccepted = difference.flaw == nil
            #expect(checked.exitCode == (isAccepted ? 0 : 1), "\(checked.errorOutput)")
            #expect(checked.output.hasPrefix("approved with userPIN\n") == isAccepted)
            #expect(checked.output.isEmpty != isAccepted)
            #expect(checked.errorOutput.hasPrefix("not evidence: ") != isAccepted)
        }
    }

    private func pem() -> String {
        let text = Data(premises.auditKey.publicKey.subjectPublicKeyInfo)
            .base64EncodedString(options: .lineLength64Characters)
        return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    }

    private static func program() throws -> String {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../../docs/security/evidence.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```python\n")).upperBound
        let end = try #require(text.range(of: "```", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end])
    }
}
