import AuthenticationHandler
import Cryptography
import Foundation

/// `VaultProgram FOLDER WRITES WORK [ARGUMENT...]`: a device's library in its own process.
///
/// The process is killed before it makes more than `WRITES` writes. It writes its requests to the
/// standard output for the test that started it, and reads the responses from the standard input.
/// If `WRITES` is `order`, it completes the work, and writes the order of its changes of the disk.
@main
struct VaultProgram {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        do {
            guard let folder = arguments.popFirst(), let writes = arguments.popFirst(),
                let work = arguments.popFirst()
            else { exit(64) }
            let handler = try AuthenticationHandler(
                vault: folder + "/vault",
                secrets: SecretFolder(folder + "/secrets"),
                deviceName: "Phone",
                transport: StandardStreams(),
                pinCost: .floor
            )
            if writes == "order" {
                DiskOrder.begin()
            } else {
                KillPoint.arm(afterWrites: Int(writes) ?? 0)
            }
            try await run(work, Array(arguments), handler)
        } catch {
            writeLine("\(String(reflecting: error))")
            exit(1)
        }
    }

    private static func run(
        _ work: String,
        _ arguments: [String],
        _ handler: AuthenticationHandler
    ) async throws {
        switch (work, arguments.count) {
        case ("activate", 6): try await activate(handler, arguments)
        case ("approve", 1):
            guard let waiting = try await handler.pendingTransaction() else { exit(2) }
            try await handler.approve(waiting, with: .pin(.typed(arguments[0])))
        case ("change", 2):
            _ = try await handler.changePIN(
                from: .typed(arguments[0]),
                to: .typed(arguments[1])
            )
        case ("warnings", 0): for warning in await handler.warnings() { writeLine("\(warning)") }
        case ("code", 1): writeLine(try await handler.oneTimeCode(pin: .typed(arguments[0])).text)
        default: exit(64)
        }
    }

    private static func activate(
        _ handler: AuthenticationHandler,
        _ arguments: [String]
    ) async throws {
        let server = try TrustedServer(
            origin: arguments[2],
            agreementKey: arguments[3],
            signingKey: arguments[4]
        )
        let code = Array(arguments[1].utf8)
        let verified = try await handler.verifyActivation(
            Activation(id: arguments[0], code: code.span, at: server)
        )
        _ = try await handler.setPIN(.typed(arguments[5]), for: verified)
    }

    /// By the function of this program that counts: Foundation calls that of the C library.
    static func writeLine(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}

extension PIN {
    fileprivate static func typed(_ digits: String) throws -> PIN {
        let bytes = Array(digits.utf8)
        return try PIN(copying: bytes.span)
    }
}
