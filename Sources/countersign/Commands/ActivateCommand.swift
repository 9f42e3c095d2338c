import AuthenticationHandler
import CommandLineTool

struct ActivateCommand: Command {
    static let name = "activate"
    static var summary: String {
        localized(
            "Set up an account with the data from your bank.",
            german: "Richtet einen Zugang mit den Daten Ihrer Bank ein."
        )
    }
    static var discussion: String {
        localized(
            """
            ACTIVATION is the activation id from your bank, or the text of its QR code. The command
            then prompts for the activation code. An argument must not contain the code. If the QR
            code contains it, leave ACTIVATION out and type the text at the prompt. Before the code
            is typed, the command shows the bank's server and the fingerprint of its key.

            For the first account you choose a PIN. All accounts have the same PIN, so for another
            account you type the PIN that you have.

            The file ~/.config/countersign/countersign.json lists the trusted servers. Only you may
            be able to write to it. countersignd init prints the keys. Pins are optional: they are
            SHA-256 hashes of the server's TLS keys in base64, and one of them is a backup. If
            "authorities" names a PEM file, only its CA certificates are trusted. An example:

            \(Settings.example)

            If there is no terminal, "askpass" names a program that prompts for the PIN in a window,
            such as /usr/bin/ssh-askpass. "biometrics" names a program that recognizes you; see
            countersign help biometrics. With --pin-fd, the code and the PIN are lines of the file
            descriptor, after the text of the QR code if ACTIVATION is left out.
            """,
            german: """
                AKTIVIERUNG ist die Aktivierungs-ID Ihrer Bank oder der Text ihres QR-Codes. Danach
                fragt der Befehl nach dem Aktivierungscode. In einem Argument darf der Code nicht
                stehen. Enthält der QR-Code auch den Aktivierungscode, lassen Sie AKTIVIERUNG weg,
                und geben Sie den Text auf Nachfrage ein. Vor der Eingabe des Codes zeigt der Befehl
                den Server der Bank und den Fingerabdruck seines Schlüssels.

                Beim ersten Zugang wählen Sie eine PIN. Alle Zugänge haben dieselbe PIN. Für jeden
                weiteren Zugang geben Sie deshalb die PIN ein, die Sie schon haben.

                Die Datei ~/.config/countersign/countersign.json nennt die Server, denen Sie
                vertrauen. Außer Ihnen darf niemand diese Datei ändern können. countersignd init
                gibt die Schlüssel aus. Die Angabe "pins" ist freiwillig: Sie nennt
                SHA-256-Prüfsummen der TLS-Schlüssel des Servers in Base64, eine davon als Reserve.
                Nennt "authorities" eine PEM-Datei, gelten nur deren CA-Zertifikate. Ein Beispiel:

                \(Settings.example)

                "askpass" nennt ein Programm, das ohne Terminal in einem Fenster nach der PIN fragt,
                etwa /usr/bin/ssh-askpass. "biometrics" nennt ein Programm, das Sie erkennt; siehe
                countersign help biometrics. Mit --pin-fd sind der Code und die PIN Zeilen des
                Dateideskriptors. Ohne AKTIVIERUNG ist seine erste Zeile der Text des QR-Codes.
                """
        )
    }

    @Argument(
        localized("ACTIVATION", german: "AKTIVIERUNG"),
        help: localized(
            "The activation id, or the text of a QR code.",
            german: "Die Aktivierungs-ID oder der Text eines QR-Codes."
        )
    )
    private var activation: String?
    @Option(
        "server",
        value: localized("ORIGIN", german: "ADRESSE"),
        help: localized(
            "The server of the activation, if several are trusted.",
            german: "Der Server der Aktivierung, falls Sie mehreren vertrauen."
        )
    )
    private var server: String?
    private let secrets = SecretOption()
    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func validate(for program: Program) throws(CommandFailure) {
        guard activation.map({ ActivationText.hasCode($0) }) != true else {
            throw .codeInArgument
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let secrets = secrets.source(in: session, or: terminal)
        let servers = session.settings.servers.filter { server == nil || $0.origin == server }
        guard !servers.isEmpty else { throw .serverNotTrusted }
        let activation = try ActivationText(activation, or: secrets)
            .activation(at: servers.map(\.server), codeFrom: secrets)
        try vault.makeFolders()
        let enrolments = try await enrolments(by: activation, in: session, secrets)
        let shown = enrolments.map { ShownEnrolment($0) }
        let lines = enrolments.filter { $0.outcome == .enrolled }
            .map { ActivationText.activated($0.account) }
        let printing = Result { () throws(CommandFailure) in
            try terminal.output.print("enrolments", shown, inJSON: printsJSON, or: lines)
        }
        // More important than a failed write.
        try enrolments.reportFailures(on: terminal)
        try printing.get()
    }

    /// The accounts of this activation, which an earlier run may have finished without a response.
    private func enrolments(
        by activation: consuming Activation,
        in session: Session,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> [Enrolment] {
        var unfinished: [Account] = []
        let verified: VerifiedActivation
        do throws(AuthenticationError) {
            unfinished = try await session.handler.unfinishedAccounts(of: activation)
            verified = try await session.handler.verifyActivation(activation)
        } catch {
            // The first error is the one to report: `try?`.
            let active = (try? await session.handler.accounts()) ?? []
            let activated = unfinished.filter(active.contains)
            guard activated.isEmpty else { return activated.map { Enrolment($0, .enrolled) } }
            guard error.code != .activationCodeInvalid else { throw .activationRefused }
            throw CommandFailure(ofRepeatable: error)
        }
        return try await setPIN(for: verified, in: session, secrets)
    }

    /// Prompts again for a wrong PIN of an existing account, while attempts are left.
    private func setPIN(
        for verified: VerifiedActivation,
        in session: Session,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> [Enrolment] {
        if secrets.isInteractive {
            try secrets.terminal.messages.print(ActivationText.accounts(verified.accounts))
        }
        if !verified.lostAccounts.isEmpty {
            try secrets.terminal.messages.print(ActivationText.lost(verified.lostAccounts))
        }
        guard let existing = verified.existingAccount else {
            return try await setNewPIN(for: verified, in: session, secrets)
        }
        let authentication = Authentication(secrets: secrets)
        return try await authentication.run(among: [.userPIN]) { _ async throws(CommandFailure) in
            let pin = try PIN(try existingPIN(of: existing, for: verified.pinPolicy, secrets))
            do throws(AuthenticationError) {
                return .success(try await session.handler.setPIN(pin, for: verified))
            } catch {
                return .failure(error)
            }
        }
    }

    /// A PIN that cannot be right, or that the new accounts cannot have, costs no attempt.
    private func existingPIN(
        of account: Account,
        for policy: PINPolicy,
        _ secrets: SecretSource
    ) throws(CommandFailure) -> TypedSecret {
        try secrets.typedPIN(ActivationText.pinPrompt(of: account)) { pin throws(CommandFailure) in
            do throws(AuthenticationError) {
                try pin.check(against: policy)
            } catch {
                throw .existingPIN(of: account, breaks: error.brokenRule, of: policy)
            }
        }
    }

    private func setNewPIN(
        for verified: VerifiedActivation,
        in session: Session,
        _ secrets: SecretSource
    ) async throws(CommandFailure) -> [Enrolment] {
        let pin = try PIN(try secrets.newPIN(allowedBy: [verified.pinPolicy]))
        do throws(AuthenticationError) {
            return try await session.handler.setPIN(pin, for: verified)
        } catch {
            throw CommandFailure(ofRepeatable: error)
        }
    }
}

extension [Enrolment] {
    /// Reports each account that is not activated, and throws the last failure.
    func reportFailures(on terminal: Terminal) throws(CommandFailure) {
        let failed = filter { $0.outcome != .enrolled }
        try report(failed.map { .notActivated($0.account, $0.outcome) }, on: terminal)
    }
}

private struct ShownEnrolment: Encodable {
    let account: ShownAccount
    let outcome: EnrolmentOutcome

    init(_ enrolment: Enrolment) {
        account = ShownAccount(enrolment.account)
        outcome = enrolment.outcome
    }
}
