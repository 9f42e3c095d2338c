import CommandLineTool
import Cryptography
import OneTimePassword
import TransactionApproval
import Verification
import VerifierServer

/// Brings the verifier into step with a device that counted on.
struct ResyncCommand: BankCommand {
    static let name = "resync"
    static let summary = "Find a device again that was used too often elsewhere, by two codes."
    static let discussion = """
        The person reads two codes off the device, one after the other; you type them where nobody
        sees them, or hand them over by a descriptor, a line each:

            countersignd resync bank/main/4711 DEVICE --codes-fd 3 3<codes

        Wrong ones count as wrong codes do. Since a restore a token needs --witnessed, which is for
        codes that somebody of the bank saw it make: what it shows does not tell whether it was used.

        \(APIEndpoint.discussion)
        """

    static let codes = Option<OpenDescriptor?>(
        "codes-fd",
        help: "Read the codes from this descriptor."
    )
    static let witnessed = Flag("witnessed", help: "Somebody of the bank saw the codes being made.")
    static let parameters: [any Parameter] =
        [AccountReference.argument, DeviceID.argument, codes, witnessed, IdempotencyKey.option]
        + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let device: DeviceID
    private let descriptor: OpenDescriptor?
    private let isWitnessed: Bool
    private let key: IdempotencyKey

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        device = try arguments[DeviceID.argument]
        descriptor = try arguments[Self.codes]
        isWitnessed = arguments[Self.witnessed]
        key = try IdempotencyKey.given(in: arguments)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let codes = CodePair(
            first: try code("first code", on: terminal),
            second: try code("code after it", on: terminal),
            isWitnessed: isWitnessed
        )
        let request = APIRequest(
            .post,
            account.path(of: device) + "/resynchronisation",
            of: "device",
            content: try content(codes),
            key: key
        )
        try await bank.ask(request)
        try terminal.output.print("\(device) is in step")
    }

    private func code(
        _ name: String,
        on terminal: Terminal
    ) throws(CommandFailure) -> String {
        let code: TypedSecret?
        if let descriptor {
            code = try secretLine(from: descriptor.number, named: name)
        } else if terminal.hasPerson {
            code = try terminal.secretAnswer(to: "The \(name):")
        } else {
            throw CommandFailure(
                .usage,
                "there is no terminal to ask for the \(name)",
                hint: "hand both over by --codes-fd"
            )
        }
        guard let code else { throw CommandFailure(.noInput, "no \(name) came") }
        // It goes into a request, which is no secure memory.
        return code.withBytes { String(decoding: $0.array, as: UTF8.self) }
    }
}
