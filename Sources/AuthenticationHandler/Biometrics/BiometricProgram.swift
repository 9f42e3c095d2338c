import OneTimePassword
import PrivateFiles

/// A program of this machine that recognises people and keeps their keys.
///
/// It runs once for each request, which is one line on its standard input: `make NAME`, `release
/// NAME` or `delete NAME`. Its standard output is one line: `key`, `failure`, `soft-limit`,
/// `hard-limit`, `fallback`, `cancelled`, `missing` or `unavailable`. After `key`, exactly 32 bytes
/// follow. `missing` means that it has no such key. Any other output means `unavailable`, and so does none within the timeout.
///
/// No secret is in its arguments or its environment. The program and its child processes are killed
/// when it closes its output, after the timeout, and when the operation is cancelled.
public struct BiometricProgram: BiometricProvider {
    private let program: ChildProcess.Program
    private let timeout: Duration

    /// - Parameters:
    ///   - path: The path of the executable file.
    ///   - arguments: The arguments after the program's name.
    ///   - environment: The whole environment; if nil, the program has this process's.
    ///   - timeout: The time after which the program is killed.
    public init(
        path: String,
        arguments: [String] = [],
        environment: [String: String]? = [:],
        timeout: Duration = .seconds(60)
    ) {
        program = ChildProcess.Program(
            path: path,
            arguments: arguments,
            environment: environment
        )
        self.timeout = timeout
    }

    public func makeKey(named name: String) async -> BiometricResult { await run("make", name) }

    public func releaseKey(named name: String) async -> BiometricResult {
        await run("release", name)
    }

    public func deleteKey(named name: String) async {
        // A cancelled operation must delete the key too.
        _ = await Task { await run("delete", name) }.value
    }

    private func run(_ verb: String, _ name: String) async -> BiometricResult {
        let isWord = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        // Without a descriptor the program cannot run: `try?`.
        guard isWord, let run = try? ProgramRun(of: program) else { return .unavailable }
        guard !Task.isCancelled else { return .cancelled }
        let request = Array("\(verb) \(name)\n".utf8)
        return await withTaskCancellationHandler {
            // Without a thread the program cannot run: `try?`.
            let ended = try? await Thread.run { self.result(of: run, for: request) }
            return ended?.get() ?? .unavailable
        } onCancel: {
            run.cancel()
        }
    }

    private func result(of run: ProgramRun, for request: [UInt8]) -> BiometricResult {
        var output = [UInt8](repeating: 0, count: Self.maximumResponseByteCount + 1)
        defer { output.wipe() }
        switch run.run(request, into: &output, timeout: timeout) {
        case .ended(let count): return .init(output.span.extracting(first: count))
        case .cancelled: return .cancelled
        case .noResponse: return .unavailable
        }
    }

    fileprivate static let keyLine = "key\n"
    fileprivate static let keyByteCount = DeviceSecrets.partByteCount
    private static let maximumResponseByteCount = keyLine.utf8.count + keyByteCount
}

extension BiometricResult {
    private static let lines: [(text: String, result: BiometricResult)] = [
        ("failure\n", .failure), ("soft-limit\n", .softLimitReached),
        ("hard-limit\n", .hardLimitReached), ("fallback\n", .fallbackToPIN),
        ("cancelled\n", .cancelled), ("missing\n", .keyMissing),
    ]

    /// The output is compared in place: a malformed one may contain a key.
    fileprivate init(_ output: Span<UInt8>) {
        let line = BiometricProgram.keyLine
        let keyStart = line.utf8.count
        if output.count == keyStart + BiometricProgram.keyByteCount,
            output.extracting(first: keyStart).isText(line)
        {
            self.init(key: output.extracting(keyStart..<output.count))
            return
        }
        self = .unavailable
        for line in Self.lines where output.isText(line.text) { self = line.result }
    }

    private init(key: Span<UInt8>) {
        do throws(Secret.Failure) {
            self = .success(key: try SecretBytes(copying: key))
        } catch .system(let failure) {
            self = .systemFailure(failure)
        } catch {
            self = .unavailable
        }
    }
}

extension Span<UInt8> {
    fileprivate func isText(_ text: String) -> Bool {
        count == text.utf8.count && zip(indices, text.utf8).allSatisfy { self[$0] == $1 }
    }
}
