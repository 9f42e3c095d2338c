import Cryptography
import Foundation
import TestSupport
import VaultProgram

@testable import AuthenticationHandler

/// The library on this device, in its own process that is killed after a number of writes.
final class VaultRun {
    private let process = Process()
    private let (input, output) = (Pipe.closedOnExec(), Pipe.closedOnExec())
    private var unread = Data()

    convenience init(_ world: World, killedAfter writes: Int, _ work: [String]) throws {
        try self.init(world, String(writes), work)
    }

    /// Completes the work, and writes the order of its changes of the disk.
    convenience init(_ world: World, notingOrderOf work: [String]) throws {
        try self.init(world, "order", work)
    }

    private init(_ world: World, _ writes: String, _ work: [String]) throws {
        process.executableURL = URL(filePath: BuiltProducts.path(of: "VaultProgram"))
        process.arguments = [world.path, writes] + work
        process.standardInput = input
        process.standardOutput = output
        // The process may be killed before it reads the response.
        ignoreBrokenPipes()
        try process.start()
    }

    /// Responds to its requests until it ends, and returns its other output.
    func end(over line: Line) async throws -> [String] {
        var output: [String] = []
        while let text = try nextLine() {
            // Other lines are not requests: `try?`.
            guard let request = try? JSONDecoder().decode(SpokenRequest.self, from: text) else {
                output.append(String(decoding: text, as: UTF8.self))
                continue
            }
            let response = try await JSONEncoder().encode(line.response(to: request))
            // The process may have ended: `try?`.
            try? input.fileHandleForWriting.write(contentsOf: response + Data("\n".utf8))
        }
        process.waitUntilExit()
        return output
    }

    /// The exit status, as a shell returns it.
    var exitCode: CInt {
        process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus
    }

    private func nextLine() throws -> Data? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return Data(unread[..<end])
            }
            let more = try output.fileHandleForReading.nextData()
            if more.isEmpty { return nil }
            unread += more
        }
    }
}

extension World {
    /// Runs some work in a process; returns its output, and whether it was killed before its end.
    func run(
        killedAfter writes: Int,
        _ work: String...
    ) async throws -> (output: [String], isKilled: Bool) {
        let run = try VaultRun(self, killedAfter: writes, work)
        let output = try await run.end(over: line)
        guard [0, 128 + SIGKILL].contains(run.exitCode) else {
            throw UnexpectedEnd(exitCode: run.exitCode, output: output)
        }
        return (output, run.exitCode != 0)
    }

    /// Runs some work in a process, and returns its changes of the disk and its lines of output.
    func diskSteps(of work: [String]) async throws -> [(call: String, path: String)] {
        let run = try VaultRun(self, notingOrderOf: work)
        let output = try await run.end(over: line)
        guard run.exitCode == 0 else {
            throw UnexpectedEnd(exitCode: run.exitCode, output: output)
        }
        return output.compactMap { $0.wholeMatch(of: /disk: (\w+) ?(.*)/) }.map {
            (String($0.1), String($0.2))
        }
    }

    private struct UnexpectedEnd: Error {
        let exitCode: CInt
        let output: [String]
    }

    /// Both keys of the verifier, as an app's settings contain them.
    var trustedKeys: (agreement: String, signing: String) {
        get throws {
            let text = { (key: P256.PublicKey) in
                let point = key.uncompressedPoint
                return TextEncoding.base64URL.encode(point.span)
            }
            let trusted = try trusted
            return (text(trusted.agreementKey), text(trusted.signingKey))
        }
    }
}
