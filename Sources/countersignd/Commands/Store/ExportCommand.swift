import CommandLineTool
import ConfigurationFiles
import Cryptography
import Glibc
import OneTimePassword
import PrivateFiles
import TransactionApproval
import Verification

struct ExportCommand: Command {
    static let name = "export"
    static let summary = "Transfer imported hardware tokens to another system."
    static let discussion = """
        Writes a PSKC document (RFC 6030) of up to 200 tokens, encrypted with the key in a file: 16, \
        24 or 32 bytes in hexadecimal. Repeat the command with another file for more tokens:

            (umask 077; openssl rand -hex 32 >transport.key)
            countersignd export --pskc tokens.xml --key transport.key \\
                --enterprise bank --account-type main

        Send the key and the document by different channels.

        Exported tokens are revoked in this store, after the document is on the disk: a code that \
        two systems accept could be used twice. If the other system does not import the document, \
        countersignd load brings the tokens back. Every export is in the audit trail.

        If the command fails or is interrupted after it created the document, keep the document: it \
        can be the only copy of the secrets. Delete it only if countersignd account show still lists \
        the tokens as active. Then repeat the command with another file. If a token is used, exported \
        or revoked at the same time, the command fails and deletes its document.

        Tokens whose counter is unknown since a restore are not exported.

        The secrets of activated devices cannot be exported: only the device and the verifier may \
        know them, or approvals would prove nothing. These people need a new activation in the \
        other system.

        \(Installation.storeOnly)
        """

    @Option("pskc", help: "The document to create.") private var file: FilePath
    @Option("key", help: "The file with the encryption key.") private var key: FilePath
    @Option("enterprise", value: "NAME", help: "The enterprise of the tokens.")
    private var enterprise: EnterpriseID
    @Option(
        "account-type",
        value: "TYPE",
        help: "The type of the accounts; the document does not contain it."
    )
    private var type: AccountType
    @ConfigurationPath private var path: String

    /// The number of secrets that fit into the minimum of locked memory.
    private static let maximumTokenCount = 200

    private var document: String { file.text }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        // Anything that can fail comes before the first token is exported.
        let transportKey = try TransportKey(inFileAt: key.text)
        let file = try onNewFile(document, try IncompleteFile(for: document))
        var mustBeKept = false
        do throws(CommandFailure) {
            let count = try await installation.withVerifier { verifier throws(CommandFailure) in
                let tokens = try await installation.onVerifier(
                    try await verifier.exportTokens(
                        of: type,
                        in: enterprise,
                        limit: Self.maximumTokenCount,
                        by: .operatorCommand
                    )
                )
                guard !tokens.isEmpty else {
                    throw CommandFailure(.nothingPending, "there are no tokens to export")
                }
                let text = try transportKey.document(of: tokens)
                try onNewFile(document, try file.append(text.span))
                try onNewFile(document, try file.finish())
                mustBeKept = true
                mustBeKept = try await installation.onVerifier(
                    try await verifier.revokeTokens(tokens, by: .operatorCommand)
                )
                guard mustBeKept else { try deleteDocument() }
                return tokens.count
            }
            try report(count, on: terminal)
        } catch {
            throw mustBeKept ? error.suggesting(adviceToKeep) : error
        }
    }

    private func report(_ count: Int, on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print(
            "Exported \(counted(count, "token")) to \(document), and revoked here."
        )
        if count == Self.maximumTokenCount {
            try terminal.output.print("There can be more: repeat the command with another file.")
        }
    }

    /// Instead of the hint of the failure, which would suggest to repeat the command.
    private var adviceToKeep: String {
        "keep \(document): it is complete, and the tokens can be revoked already; see countersignd "
            + "export --help"
    }

    /// Another process revoked a token first, which can be in its document too, or accepted a code.
    private func deleteDocument() throws(CommandFailure) -> Never {
        let isDeleted = unlink(document) == 0
        throw CommandFailure(
            .tryLater,
            "one of these tokens was used, exported or revoked at the same time"
                + (isDeleted ? "; \(document) was deleted" : ""),
            hint: isDeleted
                ? "repeat the command" : "delete \(document), and repeat the command"
        )
    }
}
