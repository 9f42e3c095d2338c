import COpenSSL

// OpenSSL stores the addresses of a parameter's name and value. So names and texts are static
// strings, and byte parameters are used only inside the closure that provides them.
extension OSSL_PARAM {
    static func text(_ name: StaticString, _ value: StaticString) -> OSSL_PARAM {
        OSSL_PARAM_construct_utf8_string(
            name.cString,
            UnsafeMutablePointer(mutating: value.cString),
            value.utf8CodeUnitCount
        )
    }

    static func bytes(
        _ name: StaticString,
        _ start: UnsafePointer<UInt8>,
        _ count: Int
    ) -> OSSL_PARAM {
        OSSL_PARAM_construct_octet_string(
            name.cString,
            UnsafeMutablePointer(mutating: start),
            count
        )
    }

    /// A natural number in the machine's byte order.
    static func number(
        _ name: StaticString,
        _ start: UnsafePointer<UInt8>,
        _ count: Int
    ) -> OSSL_PARAM {
        OSSL_PARAM_construct_BN(name.cString, UnsafeMutablePointer(mutating: start), count)
    }

    static var end: OSSL_PARAM { OSSL_PARAM_construct_end() }
}

extension StaticString {
    fileprivate var cString: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
