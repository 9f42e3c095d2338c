import Glibc

extension [UInt8] {
    /// Writes zeros that no optimizer leaves out.
    package mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            // Nil where there are none.
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
