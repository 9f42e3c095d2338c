import COpenSSL

// OpenSSL keeps the addresses that a parameter holds, so names and texts are static strings, whose
// bytes stay where they are, and byte parameters are used inside the closure that lends them.
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

    /// A natural number in the byte order of the machine.
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
