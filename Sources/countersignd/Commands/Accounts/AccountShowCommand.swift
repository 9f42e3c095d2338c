import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows an account, with its devices and their credentials.
struct AccountShowCommand: BankCommand {
    static let name = "account show"
    static let summary = "Show an account, with its devices and what locks them."
    static let discussion = APIEndpoint.discussion

    static let parameters: [any Parameter] =
        [AccountReference.argument, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let page = Page(
            account: try await bank.ask(
                APIRequest(.get, account.path, of: "account"),
                for: AccountResource.self
            ),
            devices: try await bank.ask(
                APIRequest(.get, account.path + "/devices", of: "account"),
                for: DeviceList.self
            ).devices
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

        func facts(of reference: AccountReference) -> Table {
            let linked = account.linked.map(\.description).joined(separator: " ")
            return Table(facts: [
                ("Account", reference.text),
                ("One person's with", linked.isEmpty ? nil : linked),
                ("Wants no pushes until", account.mutedUntil?.text),
                ("Replaced by", account.replacedBy?.description),
                ("Devices", String(devices.count)),
            ])
        }
    }
}

private let deviceHeading = [
    "DEVICE", "NAME", "STANDING", "SINCE", "CREDENTIAL", "STANDING", "CODES",
]

extension DeviceResource {
    /// A row for each credential.
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
    /// Whether its codes are looked at.
    fileprivate var codes: String {
        switch lock {
        case .until(let end): "locked until \(end.text)"
        case .never: "locked for good"
        case nil: attemptsLeft.map { counted($0, "attempt") + " left" } ?? ""
        }
    }
}
