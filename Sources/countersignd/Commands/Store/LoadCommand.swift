import CommandLineTool
import TransactionApproval
import Verification

/// Loads accounts and tokens that somebody else kept until now.
struct LoadCommand: Command {
    static let name = "load"
    static let summary = "Load accounts, and tokens that were made elsewhere, from a file."
    static let discussion = """
        A CSV file begins with a line that names its columns, in any order:

            enterprise,account_type,account_id       must be there
            person                                   the same for all accounts of one person
            token_serial                             goes with a secret
            token_secret_hex or token_secret_base32  at least 16 bytes
            token_algorithm                          SHA1, SHA256 or SHA512; else SHA1
            token_digits                             6, 7 or 8; else 6
            token_counter                            the first that is not used; else 0

        A PSKC document (RFC 6030) has neither enterprises nor types of accounts: name both. The
        user of a key is the account, which is made where there is none.

        The file must be yours alone (chmod 600). Loading goes on beside running verifiers. Stopped
        at any time, the same command goes on where it stopped; so it does in a CSV file that grew.
        A PSKC document is one whole: one that was changed takes another --name.

        Rows that cannot be loaded are left out and named by their line, in PSKC their number, with
        the reason. For as long as a file has any, the command fails and names them again: the
        first 10000 are remembered.

        \(Installation.storeAlone)
        """

    enum Format: String, CaseIterable, ArgumentValue {
        case csv, pskc
    }

    static let file = Argument<FilePath>(help: "The file to load.")
    static let format = Option<Format?>("format", help: "What the file is, if not csv.")
    static let loadName = Option<String?>(
        "name",
        value: "NAME",
        help: "What to remember the file by, if not its own name."
    )
    static let rejected = Option<FilePath?>(
        "rejected",
        help: "Where to append the lines that are left out, with reasons, if not on the screen."
    )
    static let stop = Flag("stop", help: "Stop at the first row that cannot be loaded.")
    static let countersAreCurrent = Flag(
        "counters-are-current",
        help: "No token was in use in this store before it was restored."
    )
    static let enterprise = Option<String?>("enterprise", value: "NAME", help: "For pskc.")
    static let accountType = Option<String?>("account-type", value: "TYPE", help: "For pskc.")
    static let key = Option<FilePath?>("key", help: "The key of a pskc file, in hexadecimal.")
    static let password = Option<FilePath?>("password", help: "The password of a pskc file.")
    static let parameters: [any Parameter] = [
        file, format, loadName, rejected, stop, countersAreCurrent, enterprise, accountType, key,
        password, Configuration.option,
    ]

    private let path: String
    private let file: String
    private let load: BulkLoad
    private let rejected: FilePath?
    private let pskc: PSKC?

    private struct PSKC {
        let enterprise: EnterpriseID
        let type: AccountType
        let unlock: AccountPSKC.Unlock
        /// The file of what unlocks it.
        let secret: String?
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        file = try arguments[Self.file].text
        rejected = try arguments[Self.rejected]
        let ownName = file.split(separator: "/").last.map(String.init) ?? file
        load = BulkLoad(
            name: try ImportName(argument: arguments[Self.loadName] ?? ownName, of: "--name"),
            stopsAtRejection: arguments[Self.stop],
            countersAreCurrent: arguments[Self.countersAreCurrent]
        )
        pskc = try Self.pskc(in: arguments)
    }

    private static func pskc(in arguments: ParsedArguments) throws(CommandFailure) -> PSKC? {
        let (enterprise, type) = (try arguments[enterprise], try arguments[accountType])
        let (key, password) = (try arguments[key], try arguments[password])
        guard try arguments[format] == .pskc else {
            guard enterprise == nil, type == nil, key == nil, password == nil else {
                throw CommandFailure(
                    .usage,
                    "--enterprise, --account-type, --key and --password go with --format pskc"
                )
            }
            return nil
        }
        guard let enterprise, let type else {
            throw CommandFailure(.usage, "--format pskc asks for --enterprise and --account-type")
        }
        guard key == nil || password == nil else {
            throw CommandFailure(.usage, "a file has a --key or a --password")
        }
        return PSKC(
            enterprise: try EnterpriseID(argument: enterprise, of: "--enterprise"),
            type: try AccountType(argument: type, of: "--account-type"),
            unlock: key.map { .preSharedKey(.file($0.text)) }
                ?? password.map { .password(.file($0.text)) } ?? .nothing,
            secret: (key ?? password)?.text
        )
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let configuration = try Configuration(readingFileAt: path)
        let report = try LoadReport(file: file, rejected: rejected, on: terminal)
        let installation = Installation(configuration: configuration)
        let record = try await installation.withVerifier { verifier throws(CommandFailure) in
            do throws(LoadFailure) {
                return try await loaded(by: verifier, report)
            } catch {
                report.clear()
                throw CommandFailure(
                    error,
                    loading: file,
                    unlockedBy: pskc?.secret,
                    by: configuration
                )
            }
        }
        try report.end(record)
    }

    private func loaded(
        by verifier: Verifier,
        _ report: LoadReport
    ) async throws(LoadFailure) -> ImportRecord {
        guard let pskc else {
            return try await loaded(try AccountCSV(file), by: verifier, report)
        }
        let source = try AccountPSKC(
            file,
            unlockedBy: pskc.unlock,
            enterprise: pskc.enterprise,
            type: pskc.type
        )
        return try await loaded(source, by: verifier, report)
    }

    private func loaded(
        _ source: some AccountSource,
        by verifier: Verifier,
        _ report: LoadReport
    ) async throws(LoadFailure) -> ImportRecord {
        let byteCount = source.progress.of
        return try await verifier.load(source, load, by: .operatorCommand) { step in
            report.show(step, of: byteCount)
        }
    }
}
