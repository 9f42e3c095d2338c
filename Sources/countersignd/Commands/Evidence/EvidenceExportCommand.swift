import CommandLineTool
import ConfigurationFiles
import PrivateFiles
import TransactionApproval

struct EvidenceExportCommand: BankCommand {
    static let name = "evidence export"
    static let summary = "Export the evidence of a decision, to verify it without the store."
    static let discussion = """
        The file proves which data a device approved or rejected, and when. It contains the \
        transaction and the device's signature. The audit records of the enrolment and \
        of the decision follow, each with a signed checkpoint of the journal.

            countersignd evidence export bank/main/4711 TRANSACTION --output evidence.json
            countersignd evidence verify evidence.json --key checkpoint.pub

        The output file is private, and appears only when it is complete.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: TransactionID.help) private var id: TransactionID
    @Option("output", short: "o", help: "The file to create. Default: standard output.")
    private var output: FilePath?
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let evidence = try await client.evidence(of: id, in: account) + [UInt8(ascii: "\n")]
        guard let path = output?.text else {
            return try terminal.output.write(String(decoding: evidence, as: UTF8.self))
        }
        let file = try onNewFile(path, try IncompleteFile(for: path))
        try onNewFile(path, try file.append(evidence.span))
        try onNewFile(path, try file.finish())
    }
}
