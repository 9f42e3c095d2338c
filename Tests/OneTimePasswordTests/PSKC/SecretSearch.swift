import Cryptography
import Foundation
import Glibc

extension SecureBytes {
    /// How many copies lie in memory that this process may write, the secure heap aside.
    func copiesOutsideSecureHeap() throws -> Int {
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        return try MemoryMapping.all()
            .filter { $0.permissions.hasPrefix("rw") && !$0.flags.contains("dd") }
            .reduce(0) { sum, mapping in sum + copies(in: mapping, readBy: memory) }
    }

    private func copies(in mapping: MemoryMapping, readBy memory: Int32) -> Int {
        let content =
            UnsafeMutableRawBufferPointer
            .allocate(byteCount: mapping.addresses.count, alignment: 1)
        defer { content.deallocate() }
        let offset = off_t(mapping.addresses.lowerBound)
        let readCount = pread(memory, content.baseAddress, content.count, offset)
        guard readCount >= count, var place = content.baseAddress else { return 0 }
        let last = place + (readCount - count)
        return withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                guard let secret = bytes.baseAddress else { return 0 }
                var copies = 0
                while place <= last, let hit = memchr(place, Int32(bytes[0]), last - place + 1) {
                    if memcmp(hit, secret, bytes.count) == 0 { copies += 1 }
                    place = hit + 1
                }
                return copies
            }
        }
    }
}

/// One mapping of this process, as the kernel describes it.
private struct MemoryMapping {
    let addresses: Range<UInt>
    let permissions: Substring
    /// The two-letter `VmFlags` of proc(5): `dd` is kept out of core dumps.
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

    private init(head: [Substring], flags: Set<Substring>) {
        let ends = head[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        addresses = ends[0]..<ends[1]
        permissions = head[1]
        self.flags = flags
    }
}
