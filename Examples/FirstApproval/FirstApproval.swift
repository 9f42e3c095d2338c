import AuthenticationHandler
import Glibc

/// A small app that sets up an account, shows a transaction, and approves it with the PIN.
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

/// The app, with a terminal instead of windows.
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
        let id = String(decoding: ask("The activation id:"), as: UTF8.self)
        var code = ask("The activation code:")
        defer { code.wipe() }
        let activation = try Activation(id: id, code: code.span, at: server)
        let verified = try await handler.verifyActivation(activation)
        let digits = verified.pinPolicy.digitCounts
        var pin = ask(
            verified.existingAccount.map { "The PIN of \($0):" }
                ?? "A new PIN of \(digits.lowerBound) to \(digits.upperBound) digits:"
        )
        let enrolments = try await handler.setPIN(PIN(wiping: &pin), for: verified)
        for enrolment in enrolments {
            print("\(enrolment.account): \(enrolment.outcome)")
        }
    }

    func approve() async throws(AuthenticationError) {
        guard let transaction = try await handler.pendingTransaction() else {
            print("Nothing is pending.")
            return
        }
        show(transaction)
        var pin = ask("Type the PIN to approve, or an empty line to reject:")
        if pin.isEmpty {
            try await handler.reject(transaction)
            print("Rejected.")
        } else {
            try await handler.approve(transaction, with: .pin(PIN(wiping: &pin)))
            print("Approved.")
        }
    }

    /// Shows the whole request, because the approval signs it.
    private func show(_ transaction: PendingTransaction) {
        print(transaction.title)
        print("For: \(transaction.account)")
        if let reference = transaction.reference { print("Reference: \(isolated(reference))") }
        for amount in transaction.amounts { print("Amount: \(amount.formatted)") }
        for payee in transaction.payees {
            print("To: \(isolated(payee.name))")
            let kind = if case .account = payee.recipient { "To account" } else { "Merchant" }
            print("\(kind): \(isolated(payee.recipient.description))")
        }
        for field in transaction.fields {
            print("\(isolated(field.label)): \(isolated(field.value))")
        }
    }

    // Bytes, because copies of a String cannot be erased. A real app does not show them.
    private func ask(_ question: String) -> [UInt8] {
        print(question)
        var line: [UInt8] = []
        // An array that grows leaves copies behind.
        line.reserveCapacity(256)
        var byte: UInt8 = 0
        while line.count < 256, read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return line }
            line.append(byte)
        }
        // The end of the input is not a line.
        line.wipe()
        print("There is no input.")
        exit(1)
    }
}

extension [UInt8] {
    fileprivate mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}

/// Otherwise right-to-left letters would move the numbers next to them (UAX 9).
func isolated(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }
