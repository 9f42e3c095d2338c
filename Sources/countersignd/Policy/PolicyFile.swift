import CommandLineTool
import FailureTranslation
import Verification

/// A policy file, validated before it is sent: only here can an error be reported with its line.
struct PolicyFile {
    let bytes: [UInt8]
    private let policy: EnterprisePolicy

    init(_ file: FilePath) throws(CommandFailure) {
        bytes = try file.contents(atMost: 1 << 20)
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.malformedInput, "\(file.shownName) is not UTF-8")
        }
        policy = try translating(EnterprisePolicy(document: document)) {
            [bytes] (failure: EnterprisePolicy.Failure) in
            CommandFailure(failure, readFrom: file.shownName, bytes)
        }
    }

    var risk: GuessingRisk { GuessingRisk(of: policy) }
}

extension CommandFailure {
    fileprivate init(_ failure: EnterprisePolicy.Failure, readFrom name: String, _ bytes: [UInt8]) {
        self =
            switch failure {
            case .document(let failure):
                CommandFailure(.malformedInput, "\(name): \(failure.reason(in: bytes))")
            case .violations(let violations):
                CommandFailure(
                    .malformedInput,
                    "\(name): \(violations.map(\.clause).joined(separator: "; "))",
                    hint: "countersignd reference policy describes the members"
                )
            case .guessing(let probability):
                CommandFailure(
                    .malformedInput,
                    "\(name): \(probability.clause)",
                    hint: "decrease lookAhead or lock.failures, or increase pin.minimumDigits or "
                        + "minimumTokenDigits"
                )
            }
    }
}

extension GuessProbability {
    /// The sentence within a message.
    fileprivate var clause: String {
        let sentence = sentence()
        return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
    }
}
