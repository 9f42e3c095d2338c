import Glibc

/// The resident memory of a process, in bytes.
struct ResidentMemory {
    private(set) var all = 0.0
    /// Memory of shared libraries, which other processes also use.
    private(set) var ofLibraries = 0.0

    init(of process: pid_t) throws {
        var isLibrary = false
        try Self.forEachLine(of: "/proc/\(process)/smaps") { line in
            let words = line.split(separator: " ")
            // "7f5a3c000000-7f5a3c021000 r-xp 00000000 08:01 1234 /usr/lib/libcrypto.so.3"
            if words[0].contains("-") { isLibrary = words.count > 5 && words[5].contains(".so") }
            // "Rss:                 132 kB"
            guard words[0] == "Rss:", let kibibytes = Double(words[1]) else { return }
            all += kibibytes * 1024
            if isLibrary { ofLibraries += kibibytes * 1024 }
        }
    }

    /// The file has no length, so it is read line by line.
    private static func forEachLine(of path: String, _ body: (String) -> Void) throws {
        guard let file = fopen(path, "re") else {
            throw BenchmarkFailure("\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 4096)
        while fgets(&bytes, CInt(bytes.count), file) != nil {
            let line = bytes.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }
            body(String(decoding: line, as: UTF8.self))
        }
    }
}
