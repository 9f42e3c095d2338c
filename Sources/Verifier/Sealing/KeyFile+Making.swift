import Cryptography
import Glibc

extension KeyFile {
    /// Makes a file with the first key-encryption key; what is there already stays.
    package static func createEncryptionKeys(at path: String) throws(Failure) {
        let line = try newLine(version: 1)
        try create(path, line)
    }

    /// Makes a file with a new private key; what is there already stays.
    package static func createPrivateKey(at path: String) throws(Failure) {
        let text = try onThisMachine { () throws(CryptographyFailure) in
            let scalar = try P256.PrivateKey().scalar()
            return try scalar.withBytes { scalar throws(CryptographyFailure) in
                try lineOf(scalar, after: [])
            }
        }
        try create(path, text)
    }

    /// Adds a key that is newer than all in the file, and gives its version.
    @discardableResult
    package static func addEncryptionKey(at path: String) throws(Failure) -> UInt32 {
        let newest = try encryptionKeys(in: .file(path)).newestVersion
        guard newest < .max else { throw .repeatedVersion(newest) }
        let old = try text(in: .file(path))
        let line = try newLine(version: newest + 1)
        let text = try onThisMachine { () throws(CryptographyFailure) in
            try old.withBytes { old throws(CryptographyFailure) in
                try line.withBytes { line throws(CryptographyFailure) in
                    try SecureBytes(joining: old, line)
                }
            }
        }
        try replace(path, by: text)
        return newest + 1
    }

    /// Leaves only the newest key, once a rotation has nothing left under the others.
    package static func removeOlderEncryptionKeys(at path: String) throws(Failure) {
        let newest = try encryptionKeys(in: .file(path)).newestVersion
        let old = try text(in: .file(path))
        let line = try old.withBytes { old throws(Failure) in
            let ends = old.indices.filter { old[$0] == newline }
            let start = ends.dropLast().last.map { $0 + 1 } ?? 0
            let line = old.extracting(start..<old.count)
            guard try keys(in: line).first?.version == newest else {
                throw .malformedLine(ends.count)
            }
            return try onThisMachine { () throws(CryptographyFailure) in
                try SecureBytes(copying: line)
            }
        }
        try replace(path, by: line)
    }

    private static func newLine(version: UInt32) throws(Failure) -> SecureBytes {
        try onThisMachine { () throws(CryptographyFailure) in
            let key = try SecureBytes.random(count: AESGCM.keyByteCount)
            return try key.withBytes { key throws(CryptographyFailure) in
                try lineOf(key, after: Array("\(version) ".utf8))
            }
        }
    }

    private static func lineOf(
        _ secret: Span<UInt8>,
        after start: [UInt8]
    ) throws(CryptographyFailure) -> SecureBytes {
        let digits = try TextEncoding.hexadecimal.encode(secret: secret)
        let end = [newline]
        let line = try digits.withBytes { digits throws(CryptographyFailure) in
            try SecureBytes(joining: start.span, digits)
        }
        return try line.withBytes { line throws(CryptographyFailure) in
            try SecureBytes(joining: line, end.span)
        }
    }

    private static func create(
        _ path: String,
        _ text: borrowing SecureBytes
    ) throws(Failure) {
        let new = try onFile { () throws(StoreFailure) in try IncompleteFile(for: path) }
        try write(text, to: new.file)
        try onFile { () throws(StoreFailure) in try new.finish() }
    }

    /// The whole new file takes the place of the old one, or the old one stays.
    private static func replace(
        _ path: String,
        by text: borrowing SecureBytes
    ) throws(Failure) {
        let temporary = path + ".new"
        // What a crash left there was never the key file.
        unlink(temporary)
        try create(temporary, text)
        guard rename(temporary, path) == 0 else {
            let failure = StoreFailure(systemError: errno)
            unlink(temporary)
            throw .file(failure)
        }
        try onFile { () throws(StoreFailure) in try PrivateFile.synchroniseFolder(of: path) }
    }

    private static func write(
        _ text: borrowing SecureBytes,
        to file: PrivateFile
    ) throws(Failure) {
        try onFile { () throws(StoreFailure) in
            try text.withBytes { text throws(StoreFailure) in try file.write(text, at: 0) }
        }
    }
}
