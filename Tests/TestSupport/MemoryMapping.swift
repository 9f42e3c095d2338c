import Foundation
import Glibc

/// One mapping of this process, as the kernel describes it.
package struct MemoryMapping {
    package let addresses: Range<UInt>
    package let permissions: Substring
    /// The two-letter `VmFlags` of proc(5): `lo` is locked, `dd` is kept out of core dumps.
    package let flags: Set<Substring>

    package static func all() throws -> [MemoryMapping] {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var head: [Substring] = []
        var mappings: [MemoryMapping] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "VmFlags:" {
                mappings.append(MemoryMapping(head: head, flags: Set(words.dropFirst())))
            } else if !words[0].hasSuffix(":") {
                head = words
            }
        }
        return mappings
    }

    package static func holding(_ address: UnsafeRawPointer) throws -> MemoryMapping? {
        try all().first { $0.addresses.contains(UInt(bitPattern: address)) }
    }

    private init(head: [Substring], flags: Set<Substring>) {
        let ends = head[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        addresses = ends[0]..<ends[1]
        permissions = head[1]
        self.flags = flags
    }

    /// Its content, read like from another process; less if the kernel denies parts.
    fileprivate func read(from memory: Int32) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: addresses.count,
            alignment: 1
        )
        let count = pread(memory, buffer.baseAddress, buffer.count, off_t(addresses.lowerBound))
        return UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(count, 0)))
    }
}

/// Makes child processes resolve every symbol before `main`, as statically linked programs do.
///
/// Lazy resolution saves the vector registers on the stack, with parts of recently copied bytes.
package func bindSymbolsAtOnce() { _ = binding }

/// Set once, because other threads may read the environment meanwhile.
private let binding: Void = { _ = setenv("LD_BIND_NOW", "1", 1) }()

/// The count of a secret's pieces in writable memory outside the secure heap.
///
/// Pieces of 16 bytes, the size of a vector register that is saved on a stack.
package func remnantsOutsideSecureHeap(of secret: UnsafeRawBufferPointer) throws -> Int {
    let memory = try OwnedDescriptor(open("/proc/self/mem", O_RDONLY | O_CLOEXEC))
    return try MemoryMapping.all()
        .filter { $0.permissions.hasPrefix("rw") && !$0.flags.contains("dd") }
        .reduce(0) { sum, mapping in
            let contents = mapping.read(from: memory.number)
            defer { contents.deallocate() }
            return stride(from: 0, through: secret.count - 16, by: 16).reduce(sum) {
                $0
                    + occurrences(
                        of: UnsafeRawBufferPointer(rebasing: secret[$1..<$1 + 16]),
                        in: contents
                    )
            }
        }
}

private func occurrences(
    of piece: UnsafeRawBufferPointer,
    in contents: UnsafeMutableRawBufferPointer
) -> Int {
    guard let pieceStart = piece.baseAddress else { return 0 }
    var found = 0
    var remaining = contents[...]
    while remaining.count >= piece.count,
        let start = UnsafeRawBufferPointer(rebasing: remaining).baseAddress,
        let hit = memchr(start, Int32(piece[0]), remaining.count - piece.count + 1)
    {
        if memcmp(hit, pieceStart, piece.count) == 0 { found += 1 }
        remaining = remaining.dropFirst(UnsafeRawPointer(hit) - start + 1)
    }
    return found
}
