import Foundation
import Glibc

@testable import Cryptography

/// One mapping of this process, as the kernel describes it.
struct MemoryMapping {
    let addresses: Range<UInt>
    let permissions: Substring
    /// The two-letter `VmFlags` of proc(5): `lo` is locked, `dd` is kept out of core dumps.
    let flags: Set<Substring>

    static func all() throws -> [MemoryMapping] {
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

    static func holding(_ address: UnsafeRawPointer) throws -> MemoryMapping? {
        try all().first { $0.addresses.contains(UInt(bitPattern: address)) }
    }

    private init(head: [Substring], flags: Set<Substring>) {
        let ends = head[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        addresses = ends[0]..<ends[1]
        permissions = head[1]
        self.flags = flags
    }
}

extension SecureBytes {
    /// How many pieces of it lie in memory that this process may write, the secure heap aside.
    ///
    /// Pieces of 16 bytes, because that is what a vector register holds that was saved on a stack.
    func remnantsOutsideSecureHeap() throws -> Int {
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        return try MemoryMapping.all()
            .filter { $0.permissions.hasPrefix("rw") && !$0.flags.contains("dd") }
            .reduce(0) { sum, mapping in
                let contents = mapping.read(from: memory)
                defer { contents.deallocate() }
                return stride(from: 0, to: count, by: 16).reduce(sum) {
                    $0 + occurrences(of: address + $1, in: contents)
                }
            }
    }

    private func occurrences(
        of piece: UnsafePointer<UInt8>,
        in contents: UnsafeMutableRawBufferPointer
    ) -> Int {
        var found = 0
        var rest = contents[...]
        while rest.count >= 16, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
            let hit = memchr(start, Int32(piece[0]), rest.count - 15)
        {
            if memcmp(hit, piece, 16) == 0 { found += 1 }
            rest = rest.dropFirst(UnsafeRawPointer(hit) - start + 1)
        }
        return found
    }
}

extension MemoryMapping {
    /// What is in it, read as another process would; less where the kernel does not show it.
    fileprivate func read(from memory: Int32) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: addresses.count,
            alignment: 1
        )
        let count = pread(memory, buffer.baseAddress, buffer.count, off_t(addresses.lowerBound))
        return UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(max(count, 0)))
    }
}
