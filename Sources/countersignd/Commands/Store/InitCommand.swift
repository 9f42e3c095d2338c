import CommandLineTool
import Cryptography
import OneTimePassword
import TransactionApproval

/// Makes all that a verifier is, before its first start.
struct InitCommand: Command {
    static let name = "init"
    static let summary = "Make a new verifier: configuration, keys, store and journal."
    static let discussion = """
        Where there is no configuration, writes this one and makes everything beside it. Where there
        is one, makes what it names.

        \(Configuration.standardText.indented)
        For a store that several verifiers share, each of them has copies of the keys, but for a
        journal and a checkpointKey of its own.

        encryptionKeys may be "descriptor:3" for keys that no file of this machine holds: whoever
        begins the program opens 3 for it, as a shell does by 3<. rotate alone needs their file.

        To change the key that answers are signed with, name a new one as nextResponseKey and run init:
        it makes the key, which devices learn under the old one. When they have, let responseKey name
        it, and take nextResponseKey out. The key of before is then no device's any more.

        init --join takes the store for right as it is: never use it on one that was put back from
        a backup. That needs restore, by this verifier's journal or with --journal-lost.

        Put the journal on other storage than the store: what ended since a backup is known from it.
        Nothing is written over: repeated after it was stopped, it makes the rest. In the place of
        a store or a key that was lost it makes nothing.
        """

    static let join = Flag(
        "join",
        help: "Begin one more verifier of a PostgreSQL store; never of one from a backup."
    )
    static let parameters: [any Parameter] = [join, Configuration.option]

    private let path: String
    private let joins: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        joins = arguments[Self.join]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let isNew = try ConfigurationFile(path).create()
        let configuration = try Configuration(readingFileAt: path)
        try checkJoining(configuration)
        try terminal.output.print("\(isNew ? "made " : "found")  \(path)")
        let installation = Installation(configuration: configuration)
        try await Initialization(installation: installation, terminal: terminal).run(joins: joins)
        try terminal.output.print(advice(for: installation))
    }

    private func checkJoining(_ configuration: Configuration) throws(CommandFailure) {
        guard joins, case .sqlite = configuration.store else { return }
        throw CommandFailure(
            .usage,
            "--join is for a store in PostgreSQL, which several verifiers share",
            hint: "a SQLite file has one verifier: run countersignd init without --join"
        )
    }

    /// As the person's program takes them, and the library on a device.
    private func trustedServer(of installation: Installation) throws(CommandFailure) -> String {
        let keys = [
            ("agreementKey", try installation.agreementKey()),
            ("signingKey", try installation.responseKey()),
        ]
        let next = try installation.nextResponseKey().map { ("nextSigningKey", $0) }
        let points = (keys + [next].compactMap { $0 }).map { name, key in
            let point = key.publicKey.uncompressedPoint
            return (name, TextEncoding.base64URL.encode(point.span))
        }
        // No member is in need of an escape.
        let origin = installation.configuration.server?.origin.text ?? "https://HOST"
        return ([("origin", origin)] + points).map { name, text in
            "                \"\(name)\": \"\(text)\""
        }
        .joined(separator: ",\n")
    }

    private func advice(for installation: Installation) throws(CommandFailure) -> String {
        let key = try installation.agreementKey().publicKey
        let fingerprint: ServerKeyID
        do throws(CryptographyFailure) {
            fingerprint = try ServerKeyID(of: key)
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
        return """

            What a person's ~/.config/countersign/countersign.json trusts this verifier by,
            and apps by the same keys:
                {
                    "servers": [
                        {
            \(try trustedServer(of: installation))
                        }
                    ]
                }
            "pins" of its keys in TLS may stand there too: see countersign help activate.

            Fingerprint of the agreement key, for people to compare:
                \(fingerprint)

            Back up the keys, and not where the store is backed up: whoever has both can
            make codes, and the store without its keys is of no use to anybody.
            Keep the journal on other storage than the store: by it a backup is restored
            without bringing a used code or a revoked device back.

            Next: countersignd policy set ENTERPRISE FILE --new makes an enterprise,
            countersignd token create NAME ROLE --enterprise ENTERPRISE a token for the bank's
            programs, and countersignd run serves them, where the configuration says.
            """
    }
}

extension String {
    /// As an example in help.
    fileprivate var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }
}
