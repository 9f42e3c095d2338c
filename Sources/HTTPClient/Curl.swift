import CCurl

/// Converts all return codes of libcurl to Swift errors.
enum Curl {
    /// In use and waiting for another request.
    private static let keptConnections = 256
    private static let initialization = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    static func makeMulti() throws(HTTPFailure) -> UnsafeMutableRawPointer {
        try check(initialization)
        let multi = try check(curl_multi_init(), "curl_multi_init")
        // libcurl's own limit follows the number of requests at the moment, so after each burst it
        // would close almost all connections.
        let status = countersign_curl_keep_connections(multi, keptConnections)
        guard status == CURLM_OK else {
            curl_multi_cleanup(multi)
            throw HTTPFailure(status)
        }
        return multi
    }

    static func check(_ code: CURLcode) throws(HTTPFailure) {
        guard code == CURLE_OK else { throw HTTPFailure(code) }
    }

    static func check<Pointer>(
        _ pointer: Pointer?,
        _ operation: StaticString
    ) throws(HTTPFailure) -> Pointer {
        guard let pointer else { throw .library(operation: operation.description, code: 0) }
        return pointer
    }
}

extension HTTPFailure {
    init(_ code: CURLcode) {
        self = .library(operation: "curl_easy", code: Int(code.rawValue))
    }

    /// The failure for a transfer that ended before it sent anything.
    init(_ code: CURLcode, wasRefusedByProxy: Bool) {
        self =
            switch code {
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH: .serverUntrusted
            case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: .unusableCertificateFile
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
                .networkUnavailable(.name)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CLIENTCERT: .networkUnavailable(.handshake)
            case CURLE_PROXY: .networkUnavailable(.proxy)
            case CURLE_OPERATION_TIMEDOUT: .networkUnavailable(.deadline)
            case CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR,
                CURLE_SEND_ERROR:
                .networkUnavailable(wasRefusedByProxy ? .proxy : .connection)
            // libcurl reports the second code for a header line without a colon.
            case CURLE_BAD_CONTENT_ENCODING, CURLE_BAD_FUNCTION_ARGUMENT,
                CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
                .malformedResponse
            default: HTTPFailure(code)
            }
    }

    init(_ code: CURLMcode) {
        self = .library(operation: "curl_multi", code: Int(code.rawValue))
    }
}
