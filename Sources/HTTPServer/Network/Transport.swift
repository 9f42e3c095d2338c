import Glibc

/// The byte stream of a connection; only `close` closes it.
enum Transport {
    case plain(CInt)
    case secured(TLSSession)

    enum Outcome {
        case moved(Int)
        /// Blocked until the socket is ready again.
        case blocked
        /// The peer has closed, or it did not send TLS.
        case ended
    }

    init(_ descriptor: CInt, _ context: TLSContext?) {
        self = context.map { .secured(TLSSession($0, descriptor)) } ?? .plain(descriptor)
    }

    var descriptor: CInt {
        switch self {
        case .plain(let descriptor): descriptor
        case .secured(let session): session.descriptor
        }
    }

    var isSecured: Bool {
        if case .secured = self { true } else { false }
    }

    /// Returns whether responses can be sent: TLS needs its handshake first.
    var isReady: Bool {
        if case .secured(let session) = self { session.isReady } else { true }
    }

    /// Why the handshake rejected the client's certificate; nil if it did not.
    var certificateRefusal: String? {
        if case .secured(let session) = self { session.certificateRefusal } else { nil }
    }

    func peer(at address: String) -> Peer {
        guard case .secured(let session) = self else {
            return Peer(address: address, isSecured: false)
        }
        return Peer(address: address, isSecured: true, certificate: session.peerCertificate)
    }

    func read(into buffer: inout [UInt8]) -> Outcome {
        switch self {
        case .plain(let descriptor): Outcome(recv(descriptor, &buffer, buffer.count, 0))
        case .secured(let session): session.read(into: &buffer)
        }
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
        bytes.withUnsafeBytes { bytes in
            switch self {
            case .plain(let descriptor):
                Outcome(send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL)))
            case .secured(let session): session.write(bytes)
            }
        }
    }

    /// Closes the sending direction.
    func finish() {
        if case .secured(let session) = self { session.finish() }
        shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Reads and drops what the client still sends, without decrypting it.
    func discard(into buffer: inout [UInt8]) -> Outcome {
        Outcome(recv(descriptor, &buffer, buffer.count, 0))
    }

    func close() {
        if case .secured(let session) = self { session.keepForResumption() }
        Glibc.close(descriptor)
    }
}

extension Transport.Outcome {
    /// From the result of a system call.
    init(_ count: Int) {
        self =
            switch count {
            case 1...: .moved(count)
            case 0: .ended
            default: errno == EAGAIN || errno == EINTR ? .blocked : .ended
            }
    }
}
