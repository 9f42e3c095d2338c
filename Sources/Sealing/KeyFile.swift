package import Cryptography
import FailureTranslation
package import PrivateFiles

/// The verifier's own secrets, in files outside the database or on an inherited descriptor.
///
/// They go from `read(2)` into locked memory and nowhere else. A file of key-encryption keys has one
/// line for each key: its version and 64 hexadecimal digits, or a sealed value. A file of a private
/// key has only the digits.
package enum KeyFile {
    package enum Failure: Error, Equatable, Sendable {
        case file(FileFailure)
        case system(SystemFailure)
        case tooLong
        case empty
        /// The line with this number, from 1, has the wrong format.
        case malformedLine(Int)
        /// The key in this line does not have 32 bytes.
        case wrongLength(line: Int)
        case repeatedVersion(UInt32)
        /// The newest key has another version than expected.
        case otherNewest(UInt32)
        /// The number is not a private key of the curve.
        case notAKey
        /// The key in this line is not sealed, so a person without the HSM could have written it.
        case unsealed(line: Int)
        /// The key in this line is sealed, but there is no key that opens it.
        case sealed(line: Int)
        /// The key in this line is sealed under another key.
        case sealedUnderOther(line: Int)
    }

    package enum Source: Sendable {
        /// A file that only its owner may read.
        case file(String)
        /// A descriptor that the parent process opened; it is closed after reading.
        case descriptor(Int32)
    }

    /// With a `fileKey`, every key must be sealed under it.
    package static func encryptionKeys(
        in source: Source,
        sealedUnder fileKey: KeyEncryptionKeys? = nil
    ) throws(Failure) -> KeyEncryptionKeys {
        let text = try text(in: source)
        let keys = try text.withBytes { text throws(Failure) in
            try Self.keys(in: text, sealedUnder: fileKey)
        }
        guard !keys.isEmpty else { throw .empty }
        var versions: Set<UInt32> = []
        for key in keys where !versions.insert(key.version).inserted {
            throw .repeatedVersion(key.version)
        }
        guard let all = KeyEncryptionKeys(keys) else { throw .empty }
        return all
    }

    package static func privateKey(in source: Source) throws(Failure) -> P256.PrivateKey {
        let line = try onlyLine(of: source)
        let scalar = try line.withBytes { line throws(Failure) in try secret(in: line, line: 1) }
        return try translating(P256.PrivateKey(scalar: scalar)) { (failure: CryptographyFailure) in
            Failure(failure, line: 1)
        }
    }
}

// MARK: Reading

extension KeyFile {
    package static let newline = UInt8(ascii: "\n")
    static let maximumBytes = 4096
    private static let maximumDigitsOfVersion = 10

    /// The whole contents of a file with a secret.
    package static func text(in source: Source) throws(Failure) -> SecureBytes {
        let file =
            switch source {
            case .file(let path):
                try translating(PrivateFile(path, for: .reading), to: Failure.file)
            case .descriptor(let descriptor):
                try translating(PrivateFile(FileDescriptor(descriptor)), to: Failure.file)
            }
        var result = Result<Int, FileFailure>.success(0)
        let buffer = try translatingSystemFailure(
            SecureBytes(writing: maximumBytes + 1) { bytes in
                bytes.withUnsafeMutableBufferPointer { bytes in
                    result = Result { () throws(FileFailure) in try file.descriptor.fill(bytes) }
                }
            },
            to: Failure.system
        )
        let count = try translating(result.get(), to: Failure.file)
        guard count <= maximumBytes else { throw .tooLong }
        return try translatingSystemFailure(
            buffer.withBytes { bytes throws(CryptographyFailure) in
                try SecureBytes(copying: bytes.extracting(first: count))
            },
            to: Failure.system
        )
    }

    /// The content of a file with one secret.
    package static func onlyLine(of source: Source) throws(Failure) -> SecureBytes {
        let text = try text(in: source)
        return try text.withBytes { text throws(Failure) in
            guard !text.isEmpty else { throw .empty }
            let end = text.indices.first { text[$0] == newline } ?? text.count
            guard end >= text.count - 1 else { throw .malformedLine(2) }
            return try translatingSystemFailure(
                SecureBytes(copying: text.extracting(first: end)),
                to: Failure.system
            )
        }
    }

    static func keys(
        in text: Span<UInt8>,
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(Failure) -> [KeyEncryptionKeys.Key] {
        var keys: [KeyEncryptionKeys.Key] = []
        var start = 0
        for end in text.indices where text[end] == newline {
            let line = text.extracting(start..<end)
            keys.append(try key(in: line, keys.count + 1, sealedUnder: fileKey))
            start = end + 1
        }
        guard start == text.count else { throw .malformedLine(keys.count + 1) }
        return keys
    }

    private static func key(
        in text: Span<UInt8>,
        _ line: Int,
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(Failure) -> KeyEncryptionKeys.Key {
        guard
            let space = text.indices.first(where: { text[$0] == UInt8(ascii: " ") }),
            (1...maximumDigitsOfVersion).contains(space), text[0] != UInt8(ascii: "0")
        else { throw .malformedLine(line) }
        var version: UInt64 = 0
        for index in 0..<space {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw .malformedLine(line) }
            version = version * 10 + UInt64(digit)
        }
        let digits = text.extracting((space + 1)..<text.count)
        guard let version = UInt32(exactly: version) else { throw .malformedLine(line) }
        let isSealed = digits.count == sealedDigitCount
        if fileKey == nil, isSealed { throw .sealed(line: line) }
        if fileKey != nil, !isSealed { throw .unsealed(line: line) }
        let bytes =
            if let fileKey {
                try secret(sealedIn: digits, under: fileKey, version, line: line)
            } else {
                try secret(in: digits, line: line)
            }
        guard let key = KeyEncryptionKeys.Key(version: version, bytes: bytes) else {
            throw .wrongLength(line: line)
        }
        return key
    }

    private static func secret(in digits: Span<UInt8>, line: Int) throws(Failure) -> SecureBytes {
        let bytes = try translating(TextEncoding.hexadecimal.decode(secret: digits)) {
            (failure: CryptographyFailure) in Failure(failure, line: line)
        }
        guard bytes.count == AESGCM.keyByteCount else { throw .wrongLength(line: line) }
        return bytes
    }
}

// MARK: Failures

extension KeyFile.Failure {
    /// A secret in this line cannot be read.
    package init(_ failure: CryptographyFailure, line: Int) {
        self =
            switch failure {
            case .malformedEncoding: .malformedLine(line)
            case .invalidCurveEncoding, .invalidArgument: .notAKey
            default: .system(SystemFailure(failure))
            }
    }
}
