import Glibc

@testable import Verifier

/// The files that anybody had the disk keep meanwhile, each as often as it was; by `fdatasync`, as
/// SQLite does it.
func syncedFiles(during body: () async throws -> Void) async rethrows -> [String] {
    SyncLog.all.begin()
    do { try await body() } catch {
        _ = SyncLog.all.end()
        throw error
    }
    return SyncLog.all.end()
}

private final class SyncLog: Sendable {
    static let all = SyncLog()

    private let lock = Lock()
    // Only touched while `lock` is held; nil while nobody wants to know.
    private nonisolated(unsafe) var paths: [String]?

    func begin() { lock.locked { paths = [] } }

    func end() -> [String] {
        lock.locked {
            defer { paths = nil }
            return paths ?? []
        }
    }

    func note(_ descriptor: Int32) {
        lock.locked { paths?.append(path(of: descriptor)) }
    }

    private func path(of descriptor: Int32) -> String {
        guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}

/// The system's function of this name, as in CountedMACs.swift.
@_cdecl("fdatasync")
func countedSync(_ descriptor: Int32) -> Int32 {
    SyncLog.all.note(descriptor)
    return librarySync(descriptor)
}

private typealias Sync = @convention(c) (Int32) -> Int32

private let librarySync: Sync = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT, a macro
    // The library that everything here needs has it, with this type.
    return unsafeBitCast(dlsym(next, "fdatasync"), to: Sync.self)
}()
