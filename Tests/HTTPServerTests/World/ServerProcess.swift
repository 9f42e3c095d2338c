import Foundation
import TestSupport

/// A server in a process of its own, whose memory and descriptors can be measured.
final class ServerProcess {
    let port: Int
    private let process = Process()
    private let input = Pipe.closedOnExec()

    struct SaidNothing: Error {}

    init(_ certificate: Certificates.Name? = nil) throws {
        let output = Pipe.closedOnExec()
        process.executableURL = URL(filePath: BuiltProducts.path(of: "ServerProgram"))
        process.arguments = try certificate.map { [try Certificates.shared.get().path($0)] } ?? []
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        let text = String(decoding: try output.fileHandleForReading.nextData(), as: UTF8.self)
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw SaidNothing()
        }
        self.port = port
    }

    deinit {
        // It ends when its input ends.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The second number is the number of resident pages.
    var memoryFile: String { "/proc/\(process.processIdentifier)/statm" }

    func bytes() throws -> Int {
        let counts = try String(contentsOfFile: memoryFile, encoding: .utf8).split(separator: " ")
        return (Int(counts[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    func descriptorCount() throws -> Int {
        let path = "/proc/\(process.processIdentifier)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: path).count
    }
}
