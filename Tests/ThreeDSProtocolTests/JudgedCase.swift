import StrictJSON
import TestSupport

@testable import ThreeDSProtocol

/// A message with the verdict of our reader, and the input of the reference checker.
struct JudgedCase {
    let name: String
    let text: String
    let sample: SampleMessage

    /// As the reference checker writes it: `ok`, or the code and the sorted names.
    func verdict() throws -> String {
        let reader = MessageReader(for: sample.receiver)
        do throws(MessageReader.Failure) {
            _ = try reader.read(
                Array(text.utf8),
                as: [sample.type],
                in: sample.context
            )
            return "ok"
        } catch {
            guard case .fault(let fault) = error else { throw error }
            guard fault.isReported else { return "end" }
            guard fault.code != .messageInvalid else { return "101" }
            let names = fault.detail.split(separator: ",").sorted().joined(separator: ",")
            return "\(fault.code.rawValue) \(names)"
        }
    }

    /// One line of input for the reference checker.
    var line: String {
        var facts = JSONValue.null
        if let values = sample.facts {
            let known = values.merging(SampleMessage.ids.mapValues { [$0] }) { $1 }
                .merging(["version": [sample.version.rawValue]]) { $1 }
            facts = .object(
                known.map { name, texts in
                    .init(name: name, value: .array(texts.map { .string($0) }))
                }
            )
        }
        return JSONValue.object([
            .init(name: "message", value: .string(text)),
            .init(name: "receiver", value: .string(sample.receiver.rawValue)),
            .init(name: "facts", value: facts),
            .init(name: "types", value: .array([.string(sample.type.rawValue)])),
        ]).document
    }

    /// The verdicts of the reference checker, which has a table of its own.
    static func referenceVerdicts(_ cases: [JudgedCase]) throws -> [String] {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let lines = cases.map(\.line).joined(separator: "\n")
        let checker = try FinishedProcess.run(
            "python3",
            ["-B", "/\(folder)/reference_checker.py"],
            input: Array(lines.utf8)
        )
        guard checker.exitCode == 0 else { throw CheckerFailure(reason: checker.errorOutput) }
        return checker.output.split(separator: "\n").map { String($0) }
    }

    struct CheckerFailure: Error { let reason: String }
}
