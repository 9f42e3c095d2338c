import CommandLineTool
import TransactionApproval
import VerifierServer

struct AccountShowCommand: BankCommand {
    static let name = "account show"
    static let summary = "Show an account with its devices, credentials and locks."
    static let discussion = EndpointOptions.discussion

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
                ("Devices", String(devices.count)),
            ])
        }
    }
}

private let deviceHeading = [
    "DEVICE", "NAME", "STATUS", "ACTIVATED", "CREDENTIAL", "STATUS", "CODES",
]

extension DeviceResource {
    /// One row for each credential.
    fileprivate var rows: [[String]] {
        credentials.map { credential in
            [
                id.description, name, status.rawValue, activated.text, credential.kind.rawValue,
                credential.status.rawValue, credential.codes,
            ]
        }
    }
}

extension CredentialResource {
    fileprivate var codes: String {
        switch lock {
        case .until(let end): "locked until \(end.text)"
        case .never: "locked permanently"
        case nil: attemptsLeft.map { counted($0, "attempt") + " left" } ?? ""
        }
    }
}
