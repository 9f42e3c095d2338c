import CommandLineTool
import Cryptography
import StrictJSON
import ThreeDSProtocol

/// Checks files as a peer checks messages.
struct MessageChecker {
    let version: ProtocolVersion

    /// Nil if the message has no error.
    func fault(
        in file: FilePath,
        as type: MessageType,
        for receiver: Receiver,
        _ context: MessageContext
    ) throws(CommandFailure) -> MessageFault? {
        let bytes = try contents(of: file, as: [type])
        switch try read(bytes, as: [type], for: receiver, context) {
        case .success: return nil
        case .failure(let fault): return fault
        }
    }

    /// A message of any type, as one of its receivers gets it.
    func message(
        in file: FilePath,
        after earlier: [Message]
    ) throws(CommandFailure) -> Message {
        let types = Set(MessageType.allCases)
        let bytes = try contents(of: file, as: types)
        let context = MessageContext.alone(version, after: earlier)
        var codes: [String] = []
        for receiver in Receiver.allCases {
            switch try read(bytes, as: types, for: receiver, context) {
            case .success(let message): return message
            case .failure(let fault): codes.append(fault.code.rawValue)
            }
        }
        throw CommandFailure(.malformedInput, "\(file.shownName) has the error \(codes[0])")
            .suggesting("check this message alone first")
    }

    private func contents(
        of file: FilePath,
        as types: Set<MessageType>
    ) throws(CommandFailure) -> [UInt8] {
        // A peer refuses a longer message, so the excess must be readable.
        try file.contents(atMost: (types.map(\.limits.byteCount).max() ?? 0) + (1 << 20))
    }

    private func read(
        _ bytes: [UInt8],
        as types: Set<MessageType>,
        for receiver: Receiver,
        _ context: MessageContext
    ) throws(CommandFailure) -> Result<Message, MessageFault> {
        let reader = MessageReader(for: receiver.component, versions: [version])
        do throws(MessageReader.Failure) {
            return .success(try reader.read(bytes, as: types, in: context))
        } catch {
            switch error {
            case .fault(let fault): return .failure(fault)
            case .system(let failure): throw CommandFailure(SystemFailure(failure))
            }
        }
    }
}
