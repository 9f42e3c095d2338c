import CCurl

extension EasyHandle {
    func apply(_ configuration: HTTPClient.Configuration) throws(HTTPFailure) {
        try set(CURLOPT_HTTP_VERSION, to: COUNTERSIGN_CURL_HTTP_1_1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, to: configuration.connectionTimeout)
        try set(CURLOPT_TIMEOUT_MS, to: configuration.requestTimeout)
        // A signal would interrupt a name lookup in any thread.
        try set(CURLOPT_NOSIGNAL, to: true)
        // Without it, cancelling would wait for a name server that does not respond.
        try set(CURLOPT_QUICK_EXIT, to: true)
        // Allocated and wiped for each transfer; most responses are much smaller.
        try set(CURLOPT_BUFFERSIZE, to: 4096)
        try Curl.check(countersign_curl_set_close_on_exec(pointer))
        try applyTrust(configuration)
        try apply(configuration.proxy)
    }

    private func applyTrust(_ configuration: HTTPClient.Configuration) throws(HTTPFailure) {
        try set(CURLOPT_SSLVERSION, to: COUNTERSIGN_CURL_TLS_1_2)
        // For TLS 1.2; all of TLS 1.3 has forward secrecy.
        try set(CURLOPT_SSL_CIPHER_LIST, to: "ECDHE+AESGCM:ECDHE+CHACHA20")
        if let authorities = configuration.authorities {
            try set(CURLOPT_CAINFO, to: authorities)
        }
        // Otherwise a file that was replaced would have no effect for a day.
        try set(CURLOPT_CA_CACHE_TIMEOUT, to: 0)
        // Otherwise the system's folder of CA certificates would be trusted in addition to the
        // file.
        try set(CURLOPT_CAPATH, to: nil as String?)
        if !configuration.pins.isEmpty {
            let pins = configuration.pins.map { "sha256//\($0.text)" }
            try set(CURLOPT_PINNEDPUBLICKEY, to: pins.joined(separator: ";"))
        }
        if let certificate = configuration.clientCertificate {
            try set(CURLOPT_SSLCERT, to: certificate.certificates)
            try set(CURLOPT_SSLKEY, to: certificate.privateKey)
        }
    }

    private func apply(_ proxy: HTTPClient.Proxy) throws(HTTPFailure) {
        switch proxy {
        case .ofEnvironment: break
        case .none: try set(CURLOPT_PROXY, to: "")
        case .url(let url):
            try set(CURLOPT_PROXY, to: url)
            try set(CURLOPT_NOPROXY, to: "")
        }
    }

    func apply(_ request: HTTPRequest, headers: HeaderList) throws(HTTPFailure) {
        try set(CURLOPT_URL, to: request.url)
        try set(CURLOPT_PATH_AS_IS, to: true)
        try set(CURLOPT_HTTPHEADER, to: headers)
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, to: true)
        case .post(let body):
            try set(CURLOPT_POST, to: true)
            try setBody(body)
        case .put(let body):
            // libcurl's own mechanism would wait for a "100 Continue" response.
            try set(CURLOPT_POST, to: true)
            try setBody(body)
            try set(CURLOPT_CUSTOMREQUEST, to: "PUT")
        case .delete:
            try set(CURLOPT_HTTPGET, to: true)
            try set(CURLOPT_CUSTOMREQUEST, to: "DELETE")
        }
    }

    /// Prevents plain-text requests to other machines.
    func apply(_ scheme: HTTPRequest.Scheme) throws(HTTPFailure) {
        try set(CURLOPT_PROTOCOLS_STR, to: scheme.rawValue)
        if scheme == .http { try set(CURLOPT_NOPROXY, to: "*") }
    }
}
