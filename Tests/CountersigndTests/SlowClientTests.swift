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
            for attack in attacks { attack.countConnections() }
            for _ in 0..<4 {
                var status = 0
                banks.append(try clock.measure { status = try backend.get("").status })
                try #require(status == 200)
            }
            devices.append(
                try await clock.measure { _ = try await app.getProfileInfo() }
            )
        }
        for attack in attacks { attack.end() }
        let connections = attacks.map(\.maximumConnections)
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
    private(set) var maximumConnections = 0

    init(_ kind: Kind, on origin: String) throws {
        self.kind = kind
        process.executableURL = URL(filePath: Self.program)
        process.arguments = [
            kind.rawValue, "-u", origin + "/openapi.json", "-c", "150", "-r", "150", "-i", "1",
            "-l", "120", "-v", "0",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
    }

    var isRunning: Bool { process.isRunning }

    /// Counts the connections that the kernel has for the program.
    ///
    /// Its own figures need its end, and it hardly ends by itself while it reads slowly over TLS.
    func countConnections() {
        let path = "/proc/\(process.processIdentifier)/"
        let rows = ["net/tcp", "net/tcp6"].flatMap { name in
            // A file without a length is read in pieces. `try?`: the attack can have ended.
            let table = try? FileHandle(forReadingAtPath: path + name)?.readToEnd()
            return String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n")
        }
        // The fourth column is the state, and the tenth one identifies the socket.
        let connected = rows.map { $0.split(separator: " ") }
            .filter { $0.count > 9 && $0[3] == "01" }
        let sockets = Set(connected.map { "socket:[\($0[9])]" })
        let files = FileManager.default
        // `try?`: also a single connection can have ended.
        let count = (try? files.contentsOfDirectory(atPath: path + "fd"))?.count { name in
            guard let file = try? files.destinationOfSymbolicLink(atPath: path + "fd/" + name)
            else { return false }
            return sockets.contains(file)
        }
        maximumConnections = max(maximumConnections, count ?? 0)
    }

    func end() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { if process.isRunning { end() } }
}
