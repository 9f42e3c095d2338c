import CommandLineTool
import TransactionApproval
import Verification

/// A command that has one thing done to a credential.
protocol CredentialCommand: BankCommand {
    /// What is asked of the credential's path.
    static var change: (method: APIRequest.Method, path: String) { get }
    /// What it is then.
    static var outcome: String { get }

    var credential: HeldCredentialName { get }
    init(way: APIEndpoint, credential: HeldCredentialName)
}

extension CredentialCommand {
    static var parameters: [any Parameter] {
        [AccountReference.argument, DeviceID.argument, CredentialKind.argument]
            + APIEndpoint.parameters
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        self.init(way: try APIEndpoint(arguments), credential: try HeldCredentialName(arguments))
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let (method, path) = Self.change
        try await bank.ask(APIRequest(method, credential.path + path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is \(Self.outcome)")
    }
}
