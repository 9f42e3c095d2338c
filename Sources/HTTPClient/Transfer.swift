import CCurl

/// One running request and its response so far.
///
/// `@unchecked`: it belongs to its creator until it starts, and then to its queue.
final class Transfer: @unchecked Sendable {
    let easy: EasyHandle
    var isCancelled = false
    /// Receives the body, if the caller does not want the whole response.
    var receiver: StreamReceiver?

    /// The transfer ends if no byte arrives before this time; nil means no limit.
    private var silenceEnd: ContinuousClock.Instant?
    /// The transfer ends if its response is not complete before this time; nil until it is sent.
    private var responseEnd: ContinuousClock.Instant?

    private let silence: Duration?
    private let responseTimeout: Duration?
    private let requestHeaders: HeaderList
    private let maximumBodyByteCount: Int
    private let ignoresBodyOfSuccess: Bool
    /// Set before the first byte is sent to the server (not to a proxy).
    private(set) var hasBeenSent = false
    private var header = ResponseHeader()
    private var body: [UInt8] = []
    /// The reason why reading stopped.
    private var refusal: HTTPFailure?

    init(
        _ request: HTTPRequest,
        _ configuration: HTTPClient.Configuration,
        silence: Duration? = nil
    ) throws(HTTPFailure) {
        try request.checkHeaders()
        let scheme = try request.scheme(allowsPlainLoopback: configuration.allowsPlainLoopback)
        easy = try EasyHandle()
        requestHeaders = try HeaderList(request.headers)
        maximumBodyByteCount = configuration.maximumResponseByteCount
        ignoresBodyOfSuccess = request.ignoresBodyOfSuccess
        try easy.apply(configuration)
        // libcurl averages the speed over seconds, so a heartbeat of few bytes counts as none.
        self.silence = silence
        responseTimeout = configuration.responseTimeout
        if silence != nil { try easy.set(CURLOPT_TIMEOUT_MS, to: 0) }
        try easy.apply(request, headers: requestHeaders)
        try easy.apply(scheme)
        try easy.setCallbacks(
            self,
            sending: noteSending,
            header: receiveHeader,
            body: receiveBody
        )
    }

    /// Begins to measure the silence, or begins again.
    func noteActivity() { silenceEnd = silence.map { .now + $0 } }

    /// The request can be sent again on another connection, and then has its whole time again.
    fileprivate func noteAttempt() {
        hasBeenSent = true
        responseEnd = responseTimeout.map { .now + $0 }
    }

    /// When the transfer ends by itself; nil for no such time.
    var end: ContinuousClock.Instant? { [silenceEnd, responseEnd].compactMap { $0 }.min() }

    func result(_ code: CURLcode) -> Result<HTTPResponse, HTTPFailure> {
        if let response = successWithoutBody { return .success(response) }
        if let refusal { return .failure(refusal) }
        guard code == CURLE_OK else { return .failure(failure(code)) }
        let response = response
        // libcurl accepts a connection that ends within a header or after an interim response.
        guard header.isComplete, response.status >= 200 else { return .failure(.responseMissing) }
        return .success(response)
    }

    /// Its header came from the server, because the status is not that of a proxy.
    private var successWithoutBody: HTTPResponse? {
        guard ignoresBodyOfSuccess, header.isComplete else { return nil }
        let response = response
        return (200...299).contains(response.status) ? response : nil
    }

    private var response: HTTPResponse {
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        return HTTPResponse(status: status, headers: header.lines, body: body)
    }

    private func failure(_ code: CURLcode) -> HTTPFailure {
        let wasRefusedByProxy = easy.number(CURLINFO_HTTP_CONNECTCODE) >= 300
        if code == CURLE_OPERATION_TIMEDOUT, let responseEnd, responseEnd <= .now {
            return .responseLate
        }
        return failure(HTTPFailure(code, wasRefusedByProxy: wasRefusedByProxy))
    }

    /// The failure, unless the server may have received the request.
    func failure(_ failure: HTTPFailure) -> HTTPFailure {
        switch failure {
        // On a second attempt, the server may already have received the request on a kept
        // connection.
        case .networkUnavailable where hasBeenSent, .serverUntrusted where hasBeenSent,
            .unusableCertificateFile where hasBeenSent, .library where hasBeenSent:
            .responseMissing
        default: failure
        }
    }

    /// Returns false if the receiver has no room.
    private func takesBody(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) -> Bool {
        if let receiver { return receiver.takes(Array(bytes), of: response) }
        guard bytes.count <= maximumBodyByteCount - body.count else { throw .responseTooLarge }
        body += bytes
        return true
    }

    /// Returns the count of accepted bytes; fewer than offered end the transfer.
    ///
    /// A paused transfer gets the same bytes again later.
    fileprivate static func receive(
        _ bytes: UnsafeRawBufferPointer,
        _ receiver: UnsafeMutableRawPointer?,
        isHeader: Bool
    ) -> Int {
        guard let receiver else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(receiver).takeUnretainedValue()
        transfer.noteActivity()
        do throws(HTTPFailure) {
            if isHeader {
                try transfer.header.take(bytes)
            } else if try !transfer.takesBody(bytes) {
                transfer.silenceEnd = nil
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            return bytes.count
        } catch {
            transfer.refusal = error
            return 0
        }
    }
}

private func noteSending(
    receiver: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutablePointer<CChar>?,
    _: Int32,
    _: Int32
) -> Int32 {
    guard let receiver else { return Int32(CURL_PREREQFUNC_ABORT) }
    Unmanaged<Transfer>.fromOpaque(receiver).takeUnretainedValue().noteAttempt()
    return Int32(CURL_PREREQFUNC_OK)
}

private func receiveHeader(
    bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    receiver: UnsafeMutableRawPointer?
) -> Int {
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.receive(line, receiver, isHeader: true)
}

private func receiveBody(
    bytes: UnsafeMutablePointer<CChar>?,
    size: Int,
    count: Int,
    receiver: UnsafeMutableRawPointer?
) -> Int {
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Transfer.receive(piece, receiver, isHeader: false)
}
