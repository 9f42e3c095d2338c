import CommandLineTool
import TransactionApproval
import Verifier

/// A command that has one thing done to a credential.
protocol CredentialCommand: BankCommand {
    /// What is asked of the credential's path.
    static var change: (method: Question.Method, path: String) { get }
    /// What it is then.
    static var outcome: String { get }

    var credential: HeldCredentialName { get }
    init(way: BankWay, credential: HeldCredentialName)
}

extension CredentialCommand {
    static var parameters: [any Parameter] {
        [AccountReference.argument, DeviceID.argument, CredentialKind.argument]
            + BankWay.parameters
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        self.init(way: try BankWay(arguments), credential: try HeldCredentialName(arguments))
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let (method, path) = Self.change
        try await bank.ask(Question(method, credential.path + path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is \(Self.outcome)")
    }
}
