import AuthenticationHandler
import Glibc

/// A small app: it sets up an account, shows what the bank asks, and approves it with the PIN.
@main
enum FirstApproval {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(AuthenticationError) {
            switch (words.count, words.first) {
            case (5, "activate"):
                let server = try TrustedServer(
                    origin: words[2],
                    agreementKey: words[3],
                    signingKey: words[4]
                )
                try await App(in: words[1]).activate(at: server)
            case (2, "approve"):
                try await App(in: words[1]).approve()
            default:
                print("usage: FirstApproval activate FOLDER ORIGIN AGREEMENT_KEY SIGNING_KEY")
                print("       FirstApproval approve FOLDER")
                exit(64)
            }
        } catch {
            print(error)
            exit(1)
        }
    }
}

/// What a phone has as windows, this has as lines of a terminal.
struct App {
    let handler: AuthenticationHandler

    init(in folder: String) throws(AuthenticationError) {
        handler = try AuthenticationHandler(
            vault: folder + "/vault",
            secrets: SecretFolder(folder + "/secrets"),
            deviceName: "First app"
        )
    }

    func activate(at server: TrustedServer) async throws(AuthenticationError) {
        let id = String(decoding: ask("The activation's id:"), as: UTF8.self)
        let code = ask("Its code, which came by another way:")
        let activation = try Activation(id: id, code: code.span, at: server)
        let verified = try await handler.verifyActivation(activation)
        let digits = verified.pinPolicy.digitCounts
        let pin = ask("A new PIN of \(digits.lowerBound) to \(digits.upperBound) digits:")
        let enrolments = try await handler.setPIN(PIN(copying: pin.span), for: verified)
        for enrolment in enrolments {
            print("\(enrolment.account): \(enrolment.outcome)")
        }
    }

    func approve() async throws(AuthenticationError) {
        guard let transaction = try await handler.getTransaction() else {
            print("Nothing waits.")
            return
        }
        show(transaction)
        let pin = ask("The PIN approves it; an empty line rejects it:")
        if pin.isEmpty {
            try await handler.cancelTransaction(transaction, reason: .notMe)
            print("Rejected.")
        } else {
            try await handler.authenticateUsingUserPIN(transaction, pin: PIN(copying: pin.span))
            print("Approved.")
        }
    }

    /// All of it, since all of it is signed.
    private func show(_ transaction: PendingTransaction) {
        print(transaction.title)
        for amount in transaction.amounts { print("Amount: \(amount.formatted)") }
        for payee in transaction.payees { print("To: \(payee.name), \(payee.account)") }
        for field in transaction.fields { print("\(field.label): \(field.value)") }
    }

    // Bytes, not a String, of which Swift keeps copies that nobody can erase. A terminal shows them
    // as they are typed, which a real app does not.
    private func ask(_ question: String) -> [UInt8] {
        print(question)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return line
    }
}
