import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

struct AccountShowCommand: BankCommand {
    static let name = "account show"
    static let summary = "Show an account with its devices, credentials and locks."
    static let discussion = """
        For each lock, the output ends with the command that ends it. Only a new activation ends a \
        permanent lock: with --web for a web browser.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let devices = APIRequest(.get, account.path + "/devices", of: "account")
        let page = Page(
            account: try await client.send(APIRequest(.get, account.path, of: "account")),
            devices: try await client.send(devices, for: DeviceList.self).devices
        )
        if printsJSON { return try terminal.output.print(json: page) }
        try terminal.output.print(page.facts(of: account))
        guard !page.devices.isEmpty else { return }
        if terminal.output.isScreen { try terminal.output.print("") }
        try terminal.output.print(Table(deviceHeading, page.devices.flatMap(\.rows)))
        try print(page.remedies(in: account), on: terminal.output)
    }

    /// With the options of this command, so that they can be pasted into a shell.
    private func print(_ remedies: [Remedy], on output: Output) throws(CommandFailure) {
        if output.isScreen, !remedies.isEmpty { try output.print("") }
        for remedy in remedies {
            let words = ["countersignd"] + remedy.words + endpoint.words
            let command = words.map(\.shellWord).joined(separator: " ")
            let gap = output.isScreen ? ": " : "\t"
            try output.print("\(remedy.purpose)\(gap)\(command)")
        }
    }

    /// A command that ends a lock.
    private struct Remedy {
        let purpose: String
        let words: [String]

        init(_ purpose: String, _ words: [String]) {
            (self.purpose, self.words) = (purpose, words)
        }
    }

    private struct Page: Encodable {
        let account: AccountResource
        let devices: [DeviceResource]

        func facts(of path: AccountPath) -> Table {
            let linked = account.linked.map(\.description).joined(separator: " ")
            return Table(facts: [
                ("Account", path.text),
                ("Test", account.test ? "yes" : nil),
                ("Linked with", linked.isEmpty ? nil : linked),
                ("Muted until", account.mutedUntil?.text),
                ("Replaced by", account.replacedBy?.description),
                (
                    "Consents",
                    account.consents.map(\.fact)
                        ?? "unknown until the next approval with PIN or biometrics"
                ),
                ("Devices", String(devices.count)),
            ])
        }

        /// One for each temporary lock, and one for all permanent ones of each kind of device.
        func remedies(in path: AccountPath) -> [Remedy] {
            let unlocking = devices.flatMap { device in
                device.credentials.filter(\.isLockedForAWhile).map { credential in
                    let names = [device.id.description, credential.kind.rawValue]
                    return Remedy(
                        "To unlock \(credential.kind.rawValue) of \(device.name)",
                        [UnlockCommand.name, path.text] + names
                    )
                }
            }
            let locked = devices.filter { $0.credentials.contains(where: \.isLockedForever) }
            let activation = ["activation", "create", path.text]
            var remedies = unlocking
            if locked.contains(where: { $0.kind == .installation }) {
                remedies.append(Remedy("To replace the locked device", activation))
            }
            if locked.contains(where: { $0.kind == .web }) {
                remedies.append(Remedy("To replace the locked browser", activation + ["--web"]))
            }
            return remedies
        }
    }
}

extension AccountResource.Consents {
    /// Nil without consents.
    fileprivate var fact: String? {
        let sums = amounts.compactMap { sum in
            Currency(sum.currency)
                .flatMap { Amount(minorUnits: sum.minorUnits, currency: $0) }?.formatted
        }
        guard count > 0 else { return nil }
        return sums.isEmpty ? String(count) : "\(count): \(sums.joined(separator: ", "))"
    }
}

private let deviceHeading = [
    "DEVICE", "KIND", "NAME", "STATUS", "ACTIVATED", "CREDENTIAL", "STATUS", "CODES",
]

extension DeviceResource {
    /// One row for each credential.
    fileprivate var rows: [[String]] {
        credentials.map { credential in
            [
                id.description, kind.rawValue, name, status.rawValue, activated.text,
                credential.kind.rawValue, credential.status.rawValue, credential.codes,
            ]
        }
    }
}

extension CredentialResource {
    fileprivate var isLockedForAWhile: Bool { if case .until = lock { true } else { false } }
    fileprivate var isLockedForever: Bool { if case .never = lock { true } else { false } }

    fileprivate var codes: String {
        switch lock {
        case .until(let end): "locked until \(end.text)"
        case .never: "locked permanently"
        case nil: attemptsLeft.map { counted($0, "attempt") + " left" } ?? ""
        }
    }
}
