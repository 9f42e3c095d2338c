import Dispatch
import OneTimePassword

/// A program of this machine that recognises people and keeps their keys.
///
/// It runs once for each question, which is a line on its standard input: `make NAME`,
/// `release NAME` or `delete NAME`. Its standard output is one line: `key`, `failure`,
/// `soft-limit`, `hard-limit`, `fallback`, `cancelled` or `unavailable`; after `key` come the 32
/// bytes themselves, and nothing else. An answer of any other form is none. No secret is in its
/// arguments or its environment, which is the one that is given here. When it closes its output, when
/// its time is over and when the operation is cancelled, it is killed with all that it began.
public struct BiometricProgram: BiometricProvider {
    private let program: Program
    private let timeLimit: Duration

    public init(
        path: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        timeLimit: Duration = .seconds(60)
    ) {
        program = Program(path: path, arguments: arguments, environment: environment)
        self.timeLimit = timeLimit
    }

    public func makeKey(named name: String) async -> BiometricResult { await ask("make", name) }

    public func releaseKey(named name: String) async -> BiometricResult {
        await ask("release", name)
    }

    public func deleteKey(named name: String) async {
        // What is cancelled deletes all the same.
        _ = await Task { await ask("delete", name) }.value
    }

    private func ask(_ verb: String, _ name: String) async -> BiometricResult {
        let isWord = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        // Where no pipe can be made, nobody can be asked: `try?`.
        guard isWord, let run = try? ProgramRun(of: program) else { return .unavailable }
        guard !Task.isCancelled else { return .cancelled }
        let question = Array("\(verb) \(name)\n".utf8)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                // A thread of its own, which may wait.
                DispatchQueue(label: "BiometricProgram").async {
                    caller.resume(returning: answer(of: run, to: question))
                }
            }
        } onCancel: {
            run.cancel()
        }
    }

    private func answer(of run: ProgramRun, to question: [UInt8]) -> BiometricResult {
        var output = [UInt8](repeating: 0, count: Self.maximumResponseByteCount + 1)
        defer { output.wipe() }
        switch run.ask(question, into: &output, timeLimit: timeLimit) {
        case .answered(let count): return .init(output.span.extracting(first: count))
        case .stopped: return .cancelled
        case .notStarted: return .unavailable
        }
    }

    fileprivate static let keyLine = Array("key\n".utf8)
    fileprivate static let keyByteCount = DeviceSecrets.partByteCount
    private static let maximumResponseByteCount = keyLine.count + keyByteCount
}

extension BiometricResult {
    fileprivate init(_ output: Span<UInt8>) {
        let line = BiometricProgram.keyLine
        if output.count == line.count + BiometricProgram.keyByteCount,
            line.indices.allSatisfy({ line[$0] == output[$0] })
        {
            let key = output.extracting(line.count..<output.count)
            // It fails only where no memory for secrets is left.
            self = (try? SecretBytes(copying: key)).map { .success(key: $0) } ?? .unavailable
            return
        }
        self =
            switch String(decoding: output.indices.map { output[$0] }, as: UTF8.self) {
            case "failure\n": .failure
            case "soft-limit\n": .softLimitReached
            case "hard-limit\n": .hardLimitReached
            case "fallback\n": .fallbackToPIN
            case "cancelled\n": .cancelled
            default: .unavailable
            }
    }
}
