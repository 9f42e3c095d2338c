import CommandLineTool
import Sealing
import TransactionApproval
import Verification

struct LoadCommand: Command {
    static let name = "load"
    static let summary = "Import accounts and hardware tokens from a file."
    static let discussion = """
        The first line of a CSV file names its columns, in any order:

            enterprise,account_type,account_id       required
            person                                   equal for all accounts of a person
            token_serial                             required with a secret
            token_secret_hex or token_secret_base32  at least 16 bytes
            token_algorithm                          SHA1 (default), SHA256 or SHA512
            token_digits                             6, 7 or 8; default: 6
            token_counter                            first unused counter; default: 0

        A PSKC document (RFC 6030) contains neither enterprises nor account types: give both as \
        options. The user ID of a key is the account ID. Missing accounts are created.

        If the bank linked accounts of two persons, all of them have the person of the first one. Name \
        this person in later files, too. Another name makes another person, with limits of its own.

        The file must be private (chmod 600). Delete it after a complete import, because its secrets \
        can be in plain text. Verifiers can run at the same time. An interrupted \
        import continues if you repeat the command, also after lines were added to a CSV file. A \
        changed PSKC document needs another --name.

        Rows that cannot be imported are skipped and reported with their line (in PSKC: their \
        number) and the reason. As long as there are such rows, the command exits with an error and \
        reports them again. It remembers the first 10000.

        \(Installation.storeOnly)
        """

    enum Format: String, CaseIterable, ArgumentValue {
        case csv, pskc
    }

    @Argument(help: "The file to import.") private var source: FilePath
    @Option("format", help: "The format of the file. Default: csv.") private var format: Format?
    @Option("name", help: "The name of the import. Default: the name of the file.")
    private var name: ImportName?
    @Option(
        "rejected",
        help: "Append the skipped lines and reasons to this file. Default: standard error."
    )
    private var rejected: FilePath?
    @Flag("stop", help: "Stop at the first row that cannot be imported.")
    private var stopsAtRejection: Bool
    @Flag(
        "counters-are-current",
        help: "No token was used with this store before its restore."
    )
    private var countersAreCurrent: Bool
    @Option("enterprise", value: "NAME", help: "With pskc: the enterprise.")
    private var enterprise: EnterpriseID?
    @Option("account-type", value: "TYPE", help: "With pskc: the type of the accounts.")
    private var type: AccountType?
    @Option("key", help: "With pskc: a file with the key in hexadecimal.")
    private var key: FilePath?
    @Option("password", help: "With pskc: a file with the password.")
    private var password: FilePath?
    @ConfigurationPath private var path: String
    /// The enterprise and the type of the accounts of a PSKC document; nil for CSV.
    private var owner: (EnterpriseID, AccountType)?

    private var file: String { source.text }
    /// The file of the key or the password.
    private var secret: String? { (key ?? password)?.text }

    mutating func validate(for program: Program) throws(CommandFailure) {
        owner = try pskcOwner()
        // A wrong name is an error of usage, so it is found here too.
        _ = try importName()
    }

    private func importName() throws(CommandFailure) -> ImportName {
        if let name { return name }
        guard let name = ImportName(file.split(separator: "/").last.map(String.init) ?? file) else {
            throw CommandFailure(.usage, "the name of the file is not valid; give a --name")
        }
        return name
    }

    private func pskcOwner() throws(CommandFailure) -> (EnterpriseID, AccountType)? {
        guard format == .pskc else {
            guard enterprise == nil, type == nil, key == nil, password == nil else {
                throw CommandFailure(
                    .usage,
                    "--enterprise, --account-type, --key and --password need --format pskc"
                )
            }
            return nil
        }
        guard let enterprise, let type else {
            throw CommandFailure(.usage, "--format pskc needs --enterprise and --account-type")
        }
        guard key == nil || password == nil else {
            throw CommandFailure(.usage, "--key and --password cannot be combined")
        }
        return (enterprise, type)
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let load = BulkLoad(
            name: try importName(),
            stopsAtRejection: stopsAtRejection,
            countersAreCurrent: countersAreCurrent
        )
        let configuration = try Configuration(readingFileAt: path)
        let report = try LoadReport(file: file, rejected: rejected, on: terminal)
        let installation = Installation(configuration: configuration)
        let record = try await installation.withVerifier { verifier throws(CommandFailure) in
            do throws(LoadFailure) {
                let source = try makeSource()
                let byteCount = source.progress.of
                return try await verifier.load(source, load, by: .operatorCommand) { step in
                    report.show(step, of: byteCount)
                }
            } catch {
                report.clear()
                throw CommandFailure(
                    error,
                    loading: file,
                    unlockedBy: secret,
                    by: configuration
                )
            }
        }
        try report.end(record)
    }

    private func makeSource() throws(LoadFailure) -> any AccountSource {
        guard let (enterprise, type) = owner else { return try AccountCSV(file) }
        return try AccountPSKC(
            file,
            unlockedBy: key.map { .preSharedKey(.file($0.text)) }
                ?? password.map { .password(.file($0.text)) } ?? .nothing,
            enterprise: enterprise,
            type: type
        )
    }
}

extension ImportName: ArgumentValue {}
