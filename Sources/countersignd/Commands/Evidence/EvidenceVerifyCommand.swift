import CommandLineTool
import TransactionApproval
import Verification

struct EvidenceVerifyCommand: Command {
    static let name = "evidence verify"
    static let summary = "Verify a file of evidence, without store or configuration."
    static let discussion = """
        Prints the data that the device showed, the decision, the device, and the time. The command needs only the file and \
        the public key of the verifier that exported it.

            countersignd evidence verify evidence.json --key checkpoint.pub

        Exits with 0 if the file proves the decision, and with 1 if it does not.
        """

    @Argument("FILE", help: "The file of countersignd evidence export; - for standard input.")
    private var file: FilePath
    @Option("key", help: "The public key of countersignd evidence key, in PEM.")
    private var key: FilePath
    @JSONFlag private var printsJSON: Bool

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let key = try PublicKeyFile.key(in: key)
        let bytes = try file.contents(atMost: EvidenceFile.maximumByteCount)
        // `try?`: a malformed file is not evidence, whatever is wrong with it.
        guard let evidence = try? EvidenceFile(json: bytes) else {
            throw failure(.malformed)
        }
        let decision: ProvenDecision
        do throws(EvidenceFlaw) {
            decision = try evidence.verified(by: key)
        } catch {
            throw failure(error)
        }
        try terminal.output.print(ShownEvidence(decision), inJSON: printsJSON, or: decision.page)
    }

    private func failure(_ flaw: EvidenceFlaw) -> CommandFailure {
        let name = file.shownName
        return switch flaw {
        case .malformed: CommandFailure(.malformedInput, "\(name) is not a file of evidence")
        case .deviceSignature:
            CommandFailure(.refused, "\(name): the device did not sign this decision")
        case .checkpoint(let part):
            CommandFailure(
                .refused,
                "\(name): the key did not sign the record of the \(part.rawValue)"
            )
            .suggesting("check that --key is the key of the verifier that exported the file")
        case .record(let part):
            CommandFailure(
                .refused,
                "\(name): the record of the \(part.rawValue) has other values than the file"
            )
        case .system(let failure): CommandFailure(failure)
        }
    }
}

private struct ShownEvidence: Encodable {
    struct Fact: Encodable {
        let name: String
        let value: String
    }

    let transaction: TransactionID
    let account: String
    let decision: String
    let decided: String
    /// In the order in which the device showed it.
    let shown: [Fact]
    /// The fields that the bank added under names of its own.
    let fields: [Fact]
    let device: String
    let deviceName: String
    let deviceKind: String
    let enrolled: String
    let enrolledFor: String
    let store: String
    let enrolmentRecord: UInt64
    let enrolmentEpoch: UInt64
    let record: UInt64
    let epoch: UInt64

    init(_ proven: ProvenDecision) {
        transaction = proven.transaction.id
        account = "\(proven.transaction.enterprise)/\(proven.transaction.account)"
        decision = proven.words
        decided = proven.decided.text
        shown = proven.shown.map { Fact(name: $0.name, value: $0.value) }
        fields = proven.transaction.content.fields.map {
            Fact(name: $0.label.text, value: $0.value.text)
        }
        device = "\(proven.device)"
        deviceName = proven.deviceName
        deviceKind = proven.deviceKind
        enrolled = proven.enrolled.text
        enrolledFor = "\(proven.enrolledAccount.enterprise)/\(proven.enrolledAccount.key)"
        store = proven.storeText
        enrolmentRecord = proven.enrolmentRecord
        enrolmentEpoch = proven.enrolmentEpoch.value
        record = proven.verdictRecord
        epoch = proven.verdictEpoch.value
    }
}

extension ProvenDecision {
    fileprivate var words: String {
        switch choice {
        case .approve(let type): "approved with \(type.rawValue)"
        case .reject(let reason): "rejected because \(reason.rawValue)"
        }
    }

    fileprivate var deviceKind: String { isWeb ? "web browser" : "app" }

    /// The content of the transaction, without the fields of the bank.
    fileprivate var shown: [(name: String, value: String)] {
        let content = transaction.content
        return [("Context", "\(content.context)"), ("Title", content.title.text)]
            + content.amounts.map { ("Amount", $0.formatted) }
            + content.payees.map {
                (
                    "Payee",
                    "\($0.isMerchant ? "merchant " : "")\($0.recipient.shown) (\($0.name.text))"
                )
            }
            + (transaction.reference.map { [("Reference", $0.text)] } ?? [])
    }

    fileprivate var page: Table {
        let account = "\(transaction.enterprise)/\(transaction.account)"
        let enrolledFor = "\(enrolledAccount.enterprise)/\(enrolledAccount.key)"
        var facts: [(name: String, value: String?)] = [
            ("Decision", words), ("Decided", decided.text),
            ("Transaction", transaction.id.text), ("Account", account),
        ]
        facts += shown.map { ($0.name, $0.value) }
        // A label can be equal to a name above.
        facts += transaction.content.fields.map {
            ("Detail from the bank", "\($0.label.text): \($0.value.text)")
        }
        facts += [
            ("Device", "\(device)"), ("Device name", deviceName), ("Device kind", deviceKind),
            ("Enrolled", enrolled.text), ("Enrolled for", enrolledFor), ("Store", storeText),
            ("Record of the enrolment", "\(enrolmentRecord) in epoch \(enrolmentEpoch.value)"),
            ("Record of the decision", "\(verdictRecord) in epoch \(verdictEpoch.value)"),
        ]
        return Table(facts: facts)
    }
}
