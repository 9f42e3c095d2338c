import CommandLineTool
import Cryptography
import Glibc
import OneTimePassword
import TransactionApproval
import Verification

/// Hands tokens over to another system.
struct ExportCommand: Command {
    static let name = "export"
    static let summary = "Hand tokens that were made elsewhere over to another system."
    static let discussion = """
        Writes a PSKC document (RFC 6030) of up to 200 tokens, encrypted under the key in a file,
        16, 24 or 32 bytes in hexadecimal; repeated with another file, it goes on with the next:

            (umask 077; openssl rand -hex 32 >transport.key)
            countersignd export --pskc tokens.xml --key transport.key \\
                --enterprise bank --account-type main

        Let key and document go by different ways.

        What leaves is revoked here, once the document is on the disk: a code that two systems take
        is good twice. Where they do not take it, countersignd load brings it back. Stopped midway,
        the command may have written a document of tokens that still count here: destroy it, and
        repeat the command with another file. Each export is on the audit trail before it is
        written. Of two exports at the same moment one is told so, and takes its document back.

        Tokens stay of which it is not known, since a restore, how far they have counted.

        The secret of an activated device never leaves, by this or any other way: nobody but device
        and verifier ever had it, and what the device approved proves nothing once somebody else
        could have made the codes. Such a person needs an activation with the new system.

        \(Installation.storeAlone)
        """

    static let pskc = Option<FilePath>("pskc", help: "The document to make.")
    static let key = Option<FilePath>("key", help: "The file with the key that it is under.")
    static let enterprise = Option<String>("enterprise", value: "NAME", help: "Whose tokens.")
    static let accountType = Option<String>(
        "account-type",
        value: "TYPE",
        help: "Of accounts of this type, which the document cannot name."
    )
    static let parameters: [any Parameter] = [
        pskc, key, enterprise, accountType, Configuration.option,
    ]

    /// As many secrets as the least memory for them holds at once.
    private static let tokensAtOnce = 200

    private let path: String
    private let document: String
    private let key: String
    private let enterprise: EnterpriseID
    private let type: AccountType

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        document = try arguments[Self.pskc].text
        key = try arguments[Self.key].text
        enterprise = try EnterpriseID(argument: arguments[Self.enterprise], of: "--enterprise")
        type = try AccountType(argument: arguments[Self.accountType], of: "--account-type")
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        // All that can be refused is, before anything leaves.
        let transportKey = try TransportKey(inFileAt: key)
        let file = try onDocument { () throws(StoreFailure) in try IncompleteFile(for: document) }
        let count = try await installation.withVerifier { verifier throws(CommandFailure) in
            let tokens = try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.exportTokens(
                    of: type,
                    in: enterprise,
                    limit: Self.tokensAtOnce,
                    by: .operatorCommand
                )
            }
            guard !tokens.isEmpty else {
                throw CommandFailure(.nothingPending, "no token is there that could leave")
            }
            let text = try transportKey.document(of: tokens)
            try onDocument { () throws(StoreFailure) in
                try file.append(text)
                try file.finish()
            }
            let isOurs = try await installation.onVerifier { () throws(Verifier.Failure) in
                try await verifier.revokeTokens(tokens, by: .operatorCommand)
            }
            guard isOurs else { try withdraw() }
            return tokens.count
        }
        try terminal.output.print(
            "\(document): \(counted(count, "token")) left, and counts here no more"
        )
        if count == Self.tokensAtOnce {
            try terminal.output.print("There may be more: repeat it with another file.")
        }
    }

    /// Two systems are not to have one token: it is in the document of whoever ended it here.
    private func withdraw() throws(CommandFailure) -> Never {
        let isGone = unlink(document) == 0
        throw CommandFailure(
            .tryLater,
            "others exported or revoked these tokens meanwhile"
                + (isGone ? ", and \(document) is gone again" : ""),
            hint: isGone ? "repeat it for what is left" : "destroy \(document), and repeat it"
        )
    }

    private func onDocument<Outcome>(
        _ body: () throws(StoreFailure) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(StoreFailure) {
            return try body()
        } catch {
            throw CommandFailure(error, of: .newFile(document))
        }
    }
}
