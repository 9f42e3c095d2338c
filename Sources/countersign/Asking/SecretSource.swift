import AuthenticationHandler
import CommandLineTool

/// Where PINs and codes come from: a descriptor that whoever began the program opened, a person at
/// the terminal, or a program that asks one.
///
/// Never from an argument or the environment, which other programs can read (SEC-27).
struct SecretSource {
    static let descriptor = Option<OpenDescriptor?>(
        "pin-fd",
        help: "Read PINs and codes from this descriptor, a line each."
    )

    let descriptor: OpenDescriptor?
    let terminal: Terminal
    let askpass: String?

    /// Whether it is a person, who may be told that something was wrong and asked again.
    var isPerson: Bool { descriptor == nil }

    func secret(_ name: String) throws(CommandFailure) -> TypedSecret {
        let secret: TypedSecret?
        if let descriptor {
            secret = try secretLine(from: descriptor.number, named: name)
        } else if terminal.hasPerson {
            secret = try terminal.secretAnswer(to: "\(name):")
        } else if let askpass {
            secret = try AskpassProgram(path: askpass).secretAnswer(to: "\(name):")
        } else {
            throw CommandFailure(
                .usage,
                "there is no terminal to ask for the \(name)",
                hint: "hand it over by --pin-fd"
            )
        }
        guard let secret else { throw CommandFailure(.noInput, "no \(name) came") }
        return secret
    }

    func pin(_ name: String = "PIN") throws(CommandFailure) -> PIN {
        try PIN(try secret(name))
    }

    /// A PIN that is chosen now: a person types it twice.
    func newPIN() throws(CommandFailure) -> PIN {
        while true {
            let first = try secret("new PIN")
            guard isPerson else { return try PIN(first) }
            do throws(CommandFailure) {
                let pin = try PIN(first)
                if try secret("new PIN, again") == first { return pin }
            } catch  where error.exitCode == .refused && terminal.hasPerson {
                try terminal.messages.print(error)
                continue
            }
            try terminal.messages.print("The two are not the same.")
        }
    }
}

extension PIN {
    fileprivate init(_ typed: TypedSecret) throws(CommandFailure) {
        do throws(AuthenticationError) {
            self = try typed.withBytes { digits throws(AuthenticationError) in
                try PIN(copying: digits)
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}
