import CommandLineTool
import ThreeDSProtocol

/// A peer that receives messages.
enum Receiver: String, CaseIterable, ArgumentValue {
    case acs, directory, sdk, server

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

    /// The receivers on its way; the last one is its end.
    ///
    /// In a browser, the 3DS server receives the final CRes.
    var receivers: [Receiver] {
        switch self {
        case .areq, .rres: [.directory, .acs]
        case .ares, .rreq: [.directory, .server]
        case .creq: [.acs]
        case .cres: [.server, .sdk]
        case .preq: [.directory]
        case .pres: [.server]
        case .erro: [.acs, .directory, .sdk, .server]
        }
    }

    var lastReceiver: Receiver { receivers[receivers.count - 1] }
}

extension ProtocolVersion: ArgumentValue {}
