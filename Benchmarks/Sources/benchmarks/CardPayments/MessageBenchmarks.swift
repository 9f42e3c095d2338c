import StrictJSON
import ThreeDSProtocol

/// Messages of card payments, compared with the reading of their JSON text alone.
extension Benchmark {
    static var messages: [Benchmark] {
        [
            .time(
                "threeds.areq.read",
                .atMost(2.5),
                count: 200,
                ours: read,
                reference: readText
            )
        ]
    }
}

private func read(_ count: Int) throws -> [UInt8] {
    let reader = MessageReader(for: .directory)
    var isComplete = true
    for _ in 0..<count {
        let message = try reader.read(sampleRequest, as: [.areq], in: .first)
        isComplete = isComplete && message.cardNumber != nil && message.members.count > 60
    }
    return [isComplete ? 1 : 0]
}

private func readText(_ count: Int, _ last: UnsafeMutablePointer<UInt8>) -> Int32 {
    var isComplete = true
    for _ in 0..<count {
        // A negative result reports the failure.
        guard let value = try? JSONValue(reading: sampleRequest, limits: MessageType.areq.limits),
            case .object(let members) = value
        else { return -1 }
        isComplete = isComplete && members.count > 60
    }
    last[0] = isComplete ? 1 : 0
    return 1
}
