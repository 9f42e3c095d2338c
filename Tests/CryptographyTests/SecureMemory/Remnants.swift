import TestSupport

@testable import Cryptography

extension SecureBytes {
    func remnantsOutsideSecureHeap() throws -> Int {
        try TestSupport.remnantsOutsideSecureHeap(
            of: UnsafeRawBufferPointer(start: address, count: count)
        )
    }
}
