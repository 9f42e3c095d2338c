import CCurl

/// One transfer of libcurl and its options.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer

    init() throws(HTTPFailure) {
        pointer = try Curl.check(curl_easy_init(), "curl_easy_init")
    }

    deinit {
        curl_easy_cleanup(pointer)
    }

    func set(_ option: CURLoption, to number: Int) throws(HTTPFailure) {
        try Curl.check(countersign_curl_set_number(pointer, option, number))
    }

    func set(_ option: CURLoption, to isOn: Bool) throws(HTTPFailure) {
        try set(option, to: isOn ? 1 : 0)
    }

    /// In milliseconds; libcurl reads zero as "no limit".
    func set(_ option: CURLoption, to limit: Duration) throws(HTTPFailure) {
        let milliseconds = limit / .milliseconds(1)
        try set(option, to: Int(min(max(milliseconds, 1), Double(Int32.max))))
    }

    /// libcurl keeps a copy; nil means libcurl's default.
    func set(_ option: CURLoption, to text: String?) throws(HTTPFailure) {
        try Curl.check(countersign_curl_set_text(pointer, option, text))
    }

    /// The list is not copied.
    func set(_ option: CURLoption, to list: HeaderList) throws(HTTPFailure) {
        try Curl.check(countersign_curl_set_pointer(pointer, option, list.first))
    }

    /// libcurl keeps a copy.
    func setBody(_ body: [UInt8]) throws(HTTPFailure) {
        try Curl.check(
            countersign_curl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count))
        )
        let status = body.withUnsafeBytes {
            countersign_curl_set_pointer(
                pointer,
                CURLOPT_COPYPOSTFIELDS,
                UnsafeMutableRawPointer(mutating: $0.baseAddress)
            )
        }
        try Curl.check(status)
    }

    /// Calls `receiver`, which is not retained, for each event: before a request is sent, which may
    /// happen twice, and when bytes arrive.
    func setCallbacks(
        _ receiver: AnyObject,
        sending: curl_prereq_callback?,
        header: curl_write_callback?,
        body: curl_write_callback?
    ) throws(HTTPFailure) {
        let receiver = Unmanaged.passUnretained(receiver).toOpaque()
        try Curl.check(countersign_curl_set_pointer(pointer, CURLOPT_PREREQDATA, receiver))
        try Curl.check(countersign_curl_set_prerequest(pointer, sending))
        try Curl.check(countersign_curl_set_pointer(pointer, CURLOPT_WRITEDATA, receiver))
        try Curl.check(countersign_curl_set_receiver(pointer, CURLOPT_WRITEFUNCTION, body))
        try Curl.check(countersign_curl_set_pointer(pointer, CURLOPT_HEADERDATA, receiver))
        try Curl.check(countersign_curl_set_receiver(pointer, CURLOPT_HEADERFUNCTION, header))
    }

    func number(_ item: CURLINFO) -> Int {
        var number = 0
        // It fails only if the item is not a number.
        countersign_curl_get_number(pointer, item, &number)
        return number
    }
}
