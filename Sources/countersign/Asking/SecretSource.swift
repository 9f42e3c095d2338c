import AuthenticationHandler
import CommandLineTool
import Glibc

/// Where PINs and codes come from: a person at the terminal, or a descriptor that whoever began the
/// program opened.
///
/// Never from an argument or the environment, which other programs can read (SEC-27).
struct SecretSource {
    static let descriptor = Option<Int32?>(
        "pin-fd",
        help: "Read PINs and codes from this descriptor, a line each."
    )

    private let descriptor: Int32?
    private let terminal: Terminal

    /// Throws where nothing can come from anywhere.
    init(_ descriptor: Int32?, or terminal: Terminal) throws(CommandFailure) {
        self.descriptor = descriptor
        self.terminal = terminal
        if let descriptor {
            // One that is closed on `exec` was opened by this program.
            guard fcntl(descriptor, F_GETFD) == 0 else {
                throw CommandFailure(
                    .noInput,
                    "--pin-fd is no descriptor that is open",
                    hint: "open it where the command begins, as in 3<FILE"
                )
            }
        } else if !terminal.hasPerson {
            throw CommandFailure(
                .usage,
                "there is no terminal to ask for the PIN",
                hint: "hand it over by --pin-fd"
            )
        }
    }

    /// Whether it is a person, who may be told that something was wrong and asked again.
    var isPerson: Bool { descriptor == nil }

    func secret(_ name: String) throws(CommandFailure) -> SecretBytes {
        let secret =
            if let descriptor {
                try secretLine(from: descriptor, named: name)
            } else {
                try terminal.secretAnswer(to: "\(name):")
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
            if try secret("new PIN, again") == first { return try PIN(first) }
            try terminal.messages.print("The two are not the same.")
        }
    }
}

extension PIN {
    fileprivate init(_ typed: SecretBytes) throws(CommandFailure) {
        do throws(AuthenticationError) {
            self = try typed.withBytes { digits throws(AuthenticationError) in
                try PIN(copying: digits)
            }
        } catch {
            throw CommandFailure(error)
        }
    }
}
