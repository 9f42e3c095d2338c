import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Attacks with slowhttptest on the verifier as a process, over TLS.
@Suite struct `Clients that are intentionally slow` {
    private let premises: Premises
    private let origin: String

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
    }

    /// The maximum median latency of other requests, on a busy machine.
    ///
    /// On an idle machine it is milliseconds. A request that waits for the end of the attack
    /// takes over a minute.
    private static let maximumMedian = Duration.seconds(2)
    /// The attacks need a few seconds to open their connections.
    private static let minimumTime = Duration.seconds(8)

    @Test(
        .enabled(if: Attack.isInstalled, "slowhttptest is needed"),
        .timeLimit(.minutes(5))
    )
    func `hundreds of slow connections do not block other clients`() async throws {
        let verifier = try RunningVerifier(premises)
        let backend = try Backend(premises, origin)
        let app = try await premises.app(of: origin)
        try await premises.activate(app, of: origin, by: backend)
        let attacks = try Attack.Kind.allCases.map { try Attack($0, on: origin) }
        var (banks, devices) = ([Duration](), [Duration]())
        let clock = ContinuousClock()
        let start = clock.now
        while devices.count < 4 || clock.now - start < Self.minimumTime {
            // The verifier disconnects slow senders, which ends their attacks.
            let isAttacked = attacks.contains(where: \.isRunning)
            #expect(isAttacked)
            for _ in 0..<4 {
                var status = 0
                banks.append(try clock.measure { status = try backend.get("").status })
                try #require(status == 200)
            }
            devices.append(
                try await clock.measure { _ = try await app.getProfileInfo() }
            )
        }
        let connections = try attacks.map { try $0.end() }
        #expect(connections.allSatisfy { $0 >= 100 }, "\(connections)")
        let waits = (banks + devices).sorted()
        #expect(waits[waits.count / 2] < Self.maximumMedian, "\(waits)")
        #expect(verifier.stop() == 0)
    }
}

/// A run of slowhttptest, for at most two minutes.
private final class Attack {
    enum Kind: String, CaseIterable {
        case slowHead = "-H"
        case slowBody = "-B"
        /// Reads a long response with a small window.
        case slowReading = "-X"
    }

    private static let program = "/usr/bin/slowhttptest"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    let kind: Kind
    private let process = Process()
    private let folder: TemporaryFolder

    init(_ kind: Kind, on origin: String) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            kind.rawValue, "-u", origin + "/openapi.json", "-c", "150", "-r", "150", "-i", "1",
            "-l", "120", "-g", "-o", folder.path + "/figures", "-v", "0",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// Ends the attack, and returns the maximum number of its concurrent connections.
    func end() throws -> Int {
        process.interrupt()
        process.waitUntilExit()
        let figures = try String(contentsOfFile: folder.path + "/figures.csv", encoding: .utf8)
        // The columns: seconds, closed, pending, connected, and availability.
        return figures.split(separator: "\n").dropFirst().compactMap { line in
            line.split(separator: ",").dropFirst(3).first.flatMap { Int($0) }
        }.max() ?? 0
    }

    deinit { process.terminate() }
}
