import Cryptography

/// The test vectors of a program: kinds, and files of these kinds.
package struct VectorSet: Sendable {
    package typealias File = (name: String, bytes: [UInt8])

    package let types: [VectorType]
    package let files: [File]

    package init(types: [VectorType], files: [File]) {
        self.types = types
        self.files = files
    }

    package func read(_ bytes: [UInt8]) throws(VectorFile.Failure) -> VectorFile {
        try VectorFile(reading: bytes, of: types)
    }
}
