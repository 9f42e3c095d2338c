import Cryptography
import FailureTranslation
import PrivateFiles

extension KeyFile {
    /// Creates a file with the first key-encryption key; never replaces a file.
    package static func createEncryptionKeys(
        at path: String,
        sealedUnder fileKey: KeyEncryptionKeys? = nil
    ) throws(Failure) {
        let line = try newLine(version: 1, sealedUnder: fileKey)
        try create(path, line)
    }

    /// Creates a file with a new private key; never replaces a file.
    package static func createPrivateKey(at path: String) throws(Failure) {
        let scalar = try translatingSystemFailure(P256.PrivateKey().scalar(), to: Failure.system)
        let text = try translatingSystemFailure(lineOf(scalar, after: []), to: Failure.system)
        try create(path, text)
    }

    /// Adds a key that is newer than all in the file, and returns its version.
    @discardableResult
    package static func addEncryptionKey(
        at path: String,
        sealedUnder fileKey: KeyEncryptionKeys? = nil
    ) throws(Failure) -> UInt32 {
        try locked(path) { () throws(Failure) in try addKey(at: path, sealedUnder: fileKey) }
    }

    private static func addKey(
        at path: String,
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(Failure) -> UInt32 {
        let newest = try encryptionKeys(in: .file(path), sealedUnder: fileKey).newestVersion
        guard newest < .max else { throw .repeatedVersion(newest) }
        let old = try text(in: .file(path))
        let line = try newLine(version: newest + 1, sealedUnder: fileKey)
        let text = try translatingSystemFailure(
            old.withBytes { old throws(CryptographyFailure) in
                try line.withBytes { line throws(CryptographyFailure) in
                    try SecureBytes(joining: old, line)
                }
            },
            to: Failure.system
        )
        guard text.count <= maximumBytes else { throw .tooLong }
        try replace(path, by: text)
        return newest + 1
    }

    /// Seals all keys of a file; returns false if they were sealed under `fileKey` before.
    ///
    /// Until now they are sealed under `former`, or not at all if it is nil. A file with keys of both
    /// kinds is refused: an attacker could have added a key.
    @discardableResult
    package static func sealEncryptionKeys(
        at path: String,
        under fileKey: KeyEncryptionKeys,
        replacing former: KeyEncryptionKeys? = nil
    ) throws(Failure) -> Bool {
        try locked(path) { () throws(Failure) in
            let old = try text(in: .file(path))
            let unsealed = try old.withBytes { old throws(Failure) in
                try keysToSeal(in: old, under: fileKey, replacing: former)
            }
            guard let unsealed else { return false }
            let sealed = try sealedText(of: unsealed, under: fileKey)
            guard sealed.count <= maximumBytes else { throw .tooLong }
            try replace(path, by: sealed)
            return true
        }
    }

    /// Nil if all keys are sealed under `fileKey`.
    private static func keysToSeal(
        in text: Span<UInt8>,
        under fileKey: KeyEncryptionKeys,
        replacing former: KeyEncryptionKeys?
    ) throws(Failure) -> [KeyEncryptionKeys.Key]? {
        guard !text.isEmpty else { throw .empty }
        do throws(Failure) {
            _ = try keys(in: text, sealedUnder: fileKey)
            return nil
        } catch .unsealed(line: 1) where former == nil {
            return try keys(in: text, sealedUnder: nil)
        } catch .sealedUnderOther(line: 1) where former != nil {
            return try keys(in: text, sealedUnder: former)
        }
    }

    private static func sealedText(
        of keys: [KeyEncryptionKeys.Key],
        under fileKey: KeyEncryptionKeys
    ) throws(Failure) -> SecureBytes {
        var lines: [UInt8] = []
        for key in keys {
            let value = try sealed(key.bytes, key.version, under: fileKey)
            let line = try translatingSystemFailure(
                lineOf(value, after: Array("\(key.version) ".utf8)),
                to: Failure.system
            )
            lines += line.withBytes { $0.array }
        }
        // Sealed, so no longer a secret.
        return try translatingSystemFailure(SecureBytes(copying: lines.span), to: Failure.system)
    }

    /// Removes all keys but the one with this version, after a rotation.
    ///
    /// Fails if a newer key was added since: the rotation did not use it.
    package static func removeEncryptionKeys(
        olderThan version: UInt32,
        at path: String,
        sealedUnder fileKey: KeyEncryptionKeys? = nil
    ) throws(Failure) {
        try locked(path) { () throws(Failure) in
            let newest = try encryptionKeys(in: .file(path), sealedUnder: fileKey).newestVersion
            guard newest == version else { throw .otherNewest(newest) }
            try removeKeys(olderThan: newest, at: path, sealedUnder: fileKey)
        }
    }

    private static func removeKeys(
        olderThan newest: UInt32,
        at path: String,
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(Failure) {
        let old = try text(in: .file(path))
        let line = try old.withBytes { old throws(Failure) in
            let ends = old.indices.filter { old[$0] == newline }
            let start = ends.dropLast().last.map { $0 + 1 } ?? 0
            let line = old.extracting(start..<old.count)
            guard try keys(in: line, sealedUnder: fileKey).first?.version == newest else {
                throw .malformedLine(ends.count)
            }
            return try translatingSystemFailure(SecureBytes(copying: line), to: Failure.system)
        }
        try replace(path, by: line)
    }

    private static func newLine(
        version: UInt32,
        sealedUnder fileKey: KeyEncryptionKeys?
    ) throws(Failure) -> SecureBytes {
        let key = try translatingSystemFailure(
            SecureBytes.random(count: AESGCM.keyByteCount),
            to: Failure.system
        )
        let value = if let fileKey { try sealed(key, version, under: fileKey) } else { key }
        return try translatingSystemFailure(
            lineOf(value, after: Array("\(version) ".utf8)),
            to: Failure.system
        )
    }

    private static func lineOf(
        _ secret: borrowing SecureBytes,
        after start: [UInt8]
    ) throws(CryptographyFailure) -> SecureBytes {
        let digits = try secret.withBytes { secret throws(CryptographyFailure) in
            try TextEncoding.hexadecimal.encode(secret: secret)
        }
        let end = [newline]
        let line = try digits.withBytes { digits throws(CryptographyFailure) in
            try SecureBytes(joining: start.span, digits)
        }
        return try line.withBytes { line throws(CryptographyFailure) in
            try SecureBytes(joining: line, end.span)
        }
    }

    private static func create(_ path: String, _ text: borrowing SecureBytes) throws(Failure) {
        try finish(try translating(IncompleteFile(for: path), to: Failure.file), with: text)
    }

    private static func replace(_ path: String, by text: borrowing SecureBytes) throws(Failure) {
        try finish(try translating(IncompleteFile(replacing: path), to: Failure.file), with: text)
    }

    private static func finish(
        _ new: IncompleteFile,
        with text: borrowing SecureBytes
    ) throws(Failure) {
        try text.withBytes { text throws(Failure) in
            try translating(new.file.descriptor.write(text, at: 0), to: Failure.file)
        }
        try translating(new.finish(), to: Failure.file)
    }

    /// Prevents other commands from changing the file between reading and replacing it.
    ///
    /// It locks the folder, because the file itself is replaced. A command that was killed can have
    /// left a copy of the keys.
    private static func locked<Outcome>(
        _ path: String,
        _ body: () throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let folder = try translating(ParentFolder(of: path).open(), to: Failure.file)
        try translating(folder.lock(.exclusive), to: Failure.file)
        defer { folder.unlock() }
        removeLeftovers(of: path)
        return try body()
    }
}
