import CommandLineTool
import ThreeDSProtocol

/// A peer that receives messages.
enum Receiver: String, CaseIterable, ArgumentValue {
    case acs, directory, sdk, server

    /// The peer for which the message is in the end: a directory server passes most messages on.
    init(ofLast type: MessageType) {
        self =
            switch type {
            case .areq, .creq, .rres: .acs
            case .preq: .directory
            case .cres: .sdk
            case .ares, .rreq, .pres, .erro: .server
            }
    }

    var component: Component {
        switch self {
        case .acs: .acs
        case .directory: .directory
        case .sdk: .sdk
        case .server: .server
        }
    }
}

extension MessageType: ArgumentValue {
    /// No message of the transaction comes before it.
    var isFirst: Bool { self == .areq || self == .preq }
}

extension ProtocolVersion: ArgumentValue {}
