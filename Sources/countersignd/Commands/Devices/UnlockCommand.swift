import CommandLineTool
import TransactionApproval
import Verifier

/// Ends a temporary lock.
struct UnlockCommand: BankCommand {
    static let name = "unlock"
    static let summary = "End the lock of a credential before its time."
    static let discussion = """
        Only a lock that would end by itself: one for good ends by a new activation. Make sure
        first that it is the person who asks.

        \(BankWay.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, DeviceID.argument, CredentialKind.argument]
        + BankWay.parameters

    let way: BankWay
    private let credential: HeldCredentialName

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        credential = try HeldCredentialName(arguments)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = credential.path + "/unlocking"
        try await bank.ask(Question(.put, path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is not locked, unless for good")
    }
}
