import CommandLineTool
import Cryptography
import OneTimePassword
import TransactionApproval
import VerifierServer

struct ResyncCommand: BankCommand {
    static let name = "resync"
    static let summary = "Synchronize the counter of a device by two consecutive codes."
    static let discussion = """
        Use it if a device created so many unused codes that the verifier rejects new ones. The \
        person reads two consecutive codes from the device. The command reads them without echo, or \
        one per line from a descriptor:

            countersignd resync bank/main/4711 DEVICE --codes-fd 3 3<codes

        Wrong codes count as failures.

        After a restore, a hardware token needs --witnessed, because its codes could have been used \
        before. Use it only if the bank's staff saw the token create the codes.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @Option("codes-fd", help: "Read the codes from this descriptor.")
    private var descriptor: OpenDescriptor?
    @Flag("witnessed", help: "The bank's staff saw the device create the codes.")
    private var isWitnessed: Bool
    private let idempotency = IdempotencyOption()
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let codes = CodePair(
            first: try code("first code", on: terminal),
            second: try code("second code", on: terminal),
            isWitnessed: isWitnessed
        )
        let request = APIRequest(
            .post,
            account.path(of: device) + "/resynchronisation",
            of: "device",
            body: try APIRequest.json(codes),
            key: try idempotency.key()
        )
        try await client.send(request)
        try terminal.output.print("Synchronized \(device).")
    }

    private func code(
        _ name: String,
        on terminal: Terminal
    ) throws(CommandFailure) -> String {
        let code: TypedSecret?
        if let descriptor {
            code = try secretLine(from: descriptor.number, named: name)
        } else if terminal.isInteractive {
            code = try terminal.secretResponse(to: "The \(name):")
        } else {
            throw CommandFailure(.usage, "there is no terminal to ask for the \(name)")
                .suggesting("pass both codes with --codes-fd")
        }
        guard let code else { throw CommandFailure(.noInput, "the \(name) is missing") }
        // The code becomes part of a request, so a String is acceptable.
        return code.withBytes { String(decoding: $0.array, as: UTF8.self) }
    }
}
