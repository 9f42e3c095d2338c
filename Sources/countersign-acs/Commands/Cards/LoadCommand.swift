import CommandLineTool
import ThreeDSIssuer

struct LoadCommand: Command {
    static let name = "load"
    static let summary = "Import cards from a file."
    static let discussion = """
        The file is CSV with one card in each line:

            card,account
            4000001234567899,bank/main/4711

        The first line must be exactly as in this example, and no field has quotation marks. The \
        file must be private (chmod 600). It is read once, and no part of a number is printed. \
        Delete the file afterwards: it has the complete numbers.

        Existing cards of the same account are unchanged, so an interrupted import can be repeated. \
        Rows that cannot be imported are skipped and reported with their line and the reason; then \
        the command exits with 65. The account of a card is not changed: remove the card first.

        \(Installation.storeOnly)
        """

    @Argument(help: "The file to import. Standard input is not accepted.")
    private var source: FilePath
    private let checkDigit = CheckDigitFlag()
    @ConfigurationPath private var path: String

    func validate(for program: Program) throws(CommandFailure) {
        guard source.text != "-" else {
            throw CommandFailure(
                .usage,
                "load does not read standard input",
                hint: "write the rows to a private file (chmod 600), and name it"
            )
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let file = try CardFile(source)
        let report = CardImportReport(source.shownName, on: terminal)
        defer { report.clear() }
        do throws(CommandFailure) {
            try await installation.withStore { store throws(CommandFailure) in
                try await CardImport(
                    installation: installation,
                    store: store,
                    rules: checkDigit.rules(for: installation.configuration),
                    report: report
                ).run(file)
            }
        } catch {
            throw report.interruption(by: error)
        }
        try report.end()
    }
}
