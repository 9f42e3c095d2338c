import Foundation
import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography

@Suite(.timeLimit(.minutes(5))) struct `A biometric program` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A program that runs this script, in which `$HERE` is a folder.
    private func program(
        _ script: String,
        timeout: Duration = .seconds(120)
    ) throws -> BiometricProgram {
        BiometricProgram(
            path: "/bin/sh",
            arguments: [try folder.write(script, to: "script")],
            environment: ["HERE": folder.path],
            timeout: timeout
        )
    }

    private func contents(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test func `makes, releases and deletes a key`() async throws {
        let sensor = try Sensor()
        let created = await sensor.program.makeKey(named: "one")
        #expect(created.keyBytes?.count == 32)
        #expect(created.keyBytes == sensor.key("one"))
        #expect(await sensor.program.releaseKey(named: "one") == created)
        #expect(await sensor.program.makeKey(named: "one") != created)
        await sensor.program.deleteKey(named: "one")
        #expect(await sensor.program.releaseKey(named: "one") == .unavailable)
        #expect(
            try sensor.requests() == [
                "make one", "release one", "make one", "delete one", "release one",
            ]
        )
    }

    @Test(
        arguments: [
            ("failure", .failure), ("soft-limit", .softLimitReached),
            ("hard-limit", .hardLimitReached), ("fallback", .fallbackToPIN),
            ("cancelled", .cancelled), ("missing", .keyMissing), ("unavailable", .unavailable),
        ] as [(String, BiometricResult)]
    )
    func `reports its result in one word`(_ word: String, _ result: BiometricResult) async throws {
        #expect(await (try program("echo \(word)")).releaseKey(named: "k") == result)
    }

    /// Success without a key is malformed.
    @Test(arguments: [
        "true", "echo", "echo success", "echo key", "echo yes; head -c 32 /dev/zero",
        "echo key; head -c 31 /dev/zero", "echo key; head -c 33 /dev/zero",
        "printf key; head -c 32 /dev/zero", "printf failure", "echo failure; echo failure",
        "echo Failure", "head -c 100000 /dev/zero", "exit 1",
    ])
    func `is unavailable if its response is malformed`(_ script: String) async throws {
        #expect(await (try program(script)).releaseKey(named: "k") == .unavailable)
    }

    @Test(arguments: ["/absent", "/etc/passwd", "sh", ""])
    func `is unavailable if it cannot be run`(_ path: String) async {
        let program = BiometricProgram(path: path)
        #expect(await program.releaseKey(named: "k") == .unavailable)
    }

    @Test(arguments: ["", "a b", "a\ndelete b", "ä", String(repeating: "a", count: 5000)])
    func `accepts only one word as a name, of at most 4 kB`(_ name: String) async throws {
        let sensor = try Sensor()
        #expect(await sensor.program.makeKey(named: name) == .unavailable)
        #expect(try sensor.requests() == [])
    }

    @Test func `receives no environment, descriptor or argument of this process`()
        async throws
    {
        try #require(getenv("PATH") != nil)
        let path = try folder.write("", to: "open")
        let open = try FileHandle(forReadingFrom: URL(filePath: path))
        _ = fcntl(open.fileDescriptor, F_SETFD, 0)
        let program = try program(
            """
            tr '\\0' '\\n' < /proc/self/environ > "$HERE/environment"
            ls -l /proc/$$/fd > "$HERE/descriptors"
            tr '\\0' '\\n' < /proc/$$/cmdline > "$HERE/arguments"
            echo failure
            """
        )
        #expect(await program.releaseKey(named: "k") == .failure)
        let names = try contents("environment").split(separator: "\n").map {
            $0.prefix { $0 != "=" }
        }
        #expect(Set(names).subtracting(["HERE", "PWD", "SHLVL", "_", "OLDPWD"]) == [])
        #expect(try contents("descriptors").contains("/script"))
        #expect(try !contents("descriptors").contains(path))
        #expect(try !contents("arguments").contains("release"))
    }

    @Test func `reports that all memory for secrets is in use`() async {
        await #expect(processExitsWith: .success) {
            let program = BiometricProgram(
                path: "/bin/sh",
                arguments: ["-c", "echo key; exec /usr/bin/head -c 32 /dev/zero"]
            )
            let key = try SecretBytes(hexadecimal: String(repeating: "00", count: 32))
            try await withoutMemoryForSecrets {
                let result = await program.releaseKey(named: "k")
                #expect(result == .systemFailure(.secureMemoryFull))
                for result in [result, .success(key: key)] {
                    let failure = #expect(throws: AuthenticationError.self) {
                        _ = try result.key(possible: [.userPIN])
                    }
                    #expect(failure?.code == .vaultUnavailable)
                    #expect(failure?.cause == "all memory for secrets is in use")
                }
            }
        }
    }

    /// In a process of its own, whose memory is searched afterwards.
    @Test func `leaves no key of a malformed response in ordinary memory (SEC-26)`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let random = try SecureBytes.random(count: 32)
            let key = try SecureBytes(writing: 32) { output in
                random.withBytes { random in
                    for index in output.indices {
                        output[index] = UInt8(ascii: "A") + random[index] % 26
                    }
                }
            }
            let file = try OwnedDescriptor(
                open(folder.path + "/key", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            )
            let written = key.withBytes { bytes in
                bytes.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
            }
            #expect(written == 32)
            let program = BiometricProgram(
                path: "/bin/sh",
                arguments: ["-c", "echo key; /bin/cat \"$HERE/key\"; echo"],
                environment: ["HERE": folder.path]
            )
            #expect(await program.releaseKey(named: "k") == .unavailable)
            let remnants = try key.withBytes { bytes in
                try bytes.withUnsafeBytes { try remnantsOutsideSecureHeap(of: $0) }
            }
            #expect(remnants == 0)
        }
    }

    // MARK: The end of the program

    /// The named pipe `line`, open for reading.
    private func openLine() throws -> OwnedDescriptor {
        let path = folder.path + "/line"
        guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try OwnedDescriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    /// The next bytes; empty after all writers have closed, and shorter after a timeout.
    private func next(on line: OwnedDescriptor) async -> Int {
        await withCheckedContinuation { caller in
            DispatchQueue(label: "reading").async {
                var polled = pollfd(fd: line.number, events: Int16(POLLIN), revents: 0)
                poll(&polled, 1, 60_000)
                var bytes = [UInt8](repeating: 0, count: 16)
                caller.resume(returning: read(line.number, &bytes, bytes.count))
            }
        }
    }

    @Test func `is killed with its child processes after the timeout`() async throws {
        let line = try openLine()
        let program = try program(
            "exec 3>\"$HERE/line\"; sleep 1000 & echo up >&3; sleep 1000",
            timeout: .seconds(4)
        )
        async let result = program.releaseKey(named: "k")
        #expect(await next(on: line) == 3)
        #expect(await result == .unavailable)
        #expect(await next(on: line) == 0)
    }

    @Test func `is killed when the operation is cancelled`() async throws {
        let line = try openLine()
        let program = try program("exec 3>\"$HERE/line\"; echo up >&3; sleep 1000")
        let task = Task { await program.releaseKey(named: "k") }
        #expect(await next(on: line) == 3)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(await next(on: line) == 0)
    }

    @Test func `is killed after its response`() async throws {
        let program = try program("echo failure; exec >&-; sleep 1000")
        #expect(await program.releaseKey(named: "k") == .failure)
    }

    @Test func `is run by a cancelled task only to delete a key`() async throws {
        let sensor = try Sensor()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let result = await sensor.program.releaseKey(named: "k")
            await sensor.program.deleteKey(named: "k")
            return result
        }
        #expect(await task.value == .cancelled)
        #expect(try sensor.requests() == ["delete k"])
    }
}
