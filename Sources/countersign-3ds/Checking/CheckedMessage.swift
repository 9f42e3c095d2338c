import CommandLineTool
import Cryptography
import StrictJSON
import ThreeDSProtocol

/// A message in a file, with the judgement of a peer.
enum CheckedMessage {
    case right(Message)
    case wrong(MessageFault)

    init(
        in file: FilePath,
        as types: Set<MessageType>,
        version: ProtocolVersion,
        receiver: Receiver,
        facts: TransactionFacts?
    ) throws(CommandFailure) {
        // A peer refuses a longer message, so the excess must be readable.
        let limit = types.map(\.limits.byteCount).max() ?? 0
        let bytes = try file.contents(atMost: limit + (1 << 20))
        let reader = MessageReader(for: receiver.component, versions: [version])
        do throws(MessageReader.Failure) {
            self = .right(try reader.read(bytes, as: types, in: facts))
        } catch {
            switch error {
            case .fault(let fault): self = .wrong(fault)
            case .system(let failure): throw CommandFailure(SystemFailure(failure))
            }
        }
    }
}
