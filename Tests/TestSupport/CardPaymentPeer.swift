import Foundation

/// The peer of an ACS in `Tests/ReferenceCheckers/threeds_peer.py`, which describes its commands.
///
/// It is an independent SDK, directory server, 3DS server, shop and browser, in a process that ends with
/// this value. One test at a time uses it.
package final class CardPaymentPeer {
    package struct Failure: Error {
        package let reason: String
    }

    private let process = Process()
    private let (commands, results) = (Pipe.closedOnExec(), Pipe.closedOnExec())
    private var unread: [UInt8] = []

    package init() throws {
        ignoreBrokenPipes()
        process.executableURL = URL(filePath: ReferenceCheckers.program("python"))
        process.arguments = ["-B", ReferenceCheckers.sources + "threeds_peer.py"]
        process.standardInput = commands
        process.standardOutput = results
        try process.start()
        // The end of its output shows that the process ended.
        try results.fileHandleForWriting.close()
    }

    deinit {
        // The peer stops when its standard input ends.
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Its certificates and keys, which are made once.
    private static let certificates = Result {
        let folder = try TemporaryFolder()
        _ = try ReferenceCheckers.check("threeds_peer.py", given: [], ["pki", folder.path])
        return folder
    }

    package static func copyCertificates(to folder: String) throws {
        try copyFiles(to: folder, from: try certificates.get())
    }

    /// Runs a command; throws if the peer could not run it.
    package func run(_ command: String, _ members: [String: Any] = [:]) throws -> Report {
        try send(command, members)
        return try report()
    }

    /// Sends a command, whose result `report()` waits for.
    package func send(_ command: String, _ members: [String: Any] = [:]) throws {
        let line = members.merging(["command": command]) { $1 }
        let data = try JSONSerialization.data(withJSONObject: line) + [UInt8(ascii: "\n")]
        try commands.fileHandleForWriting.write(contentsOf: data)
    }

    /// Waits for the result of the command that was sent first.
    package func report() throws -> Report {
        let data = Data(try line())
        guard let members = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw Failure(reason: "the result is not an object")
        }
        if let reason = members["failure"] as? String { throw Failure(reason: reason) }
        return Report(members: members)
    }

    private func line() throws -> [UInt8] {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            let more = results.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(reason: "the peer ended") }
            unread += more
        }
    }
}

extension CardPaymentPeer {
    /// The result of a command.
    package struct Report {
        package let members: [String: Any]

        /// The breaches that the peer found.
        package var problems: [String] { members["problems"] as? [String] ?? ["no problems"] }

        /// The value of a member of a member.
        package subscript(path: String...) -> Any? {
            path.reduce(members as Any?) { ($0 as? [String: Any])?[$1] }
        }

        package func text(_ path: String...) -> String? {
            path.reduce(members as Any?) { ($0 as? [String: Any])?[$1] } as? String
        }
    }
}
