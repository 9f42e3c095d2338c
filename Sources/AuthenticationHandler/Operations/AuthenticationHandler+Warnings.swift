import Glibc

/// What makes this device less safe than it could be; nothing is refused because of it (SEC-67).
public enum DeviceWarning: String, CaseIterable, Sendable {
    case debuggerAttached
    case runsAsRoot
    /// A crash may write memory, and secrets with it, to the disk.
    case coreDumpsOn
    /// Others may read or replace what is stored here.
    case vaultOpenToOthers
    /// Memory may be written to a disk that is not encrypted.
    case swapNotEncrypted
}

extension AuthenticationHandler {
    /// What the app may tell the person, or its maker.
    public func getWarnings() -> [DeviceWarning] {
        DeviceWarning.allCases.filter { warning in
            switch warning {
            case .debuggerAttached: isDebuggerAttached()
            case .runsAsRoot: geteuid() == 0
            case .coreDumpsOn: mayDumpCore()
            case .vaultOpenToOthers: isVaultOpenToOthers()
            // Where the kernel does not say, there is nothing to warn of: `try?`.
            case .swapNotEncrypted: hasPlainSwap(try? contents(of: "/proc/swaps"))
            }
        }
    }

    private func isVaultOpenToOthers() -> Bool {
        do throws(FileFailure) {
            _ = try vault.folder.names()
            return false
        } catch {
            if case .unsafe = error { return true }
            return false
        }
    }
}

/// By proc(5): the process that traces this one, or 0.
private func isDebuggerAttached() -> Bool {
    // Where the kernel does not say, there is nothing to warn of: `try?`.
    guard let status = try? contents(of: "/proc/self/status") else { return false }
    return status.split(separator: "\n").contains { line in
        line.hasPrefix("TracerPid:") && !line.hasSuffix("\t0")
    }
}

private func mayDumpCore() -> Bool {
    var limit = rlimit()
    let status = getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    return status == 0 && limit.rlim_cur > 0
}

/// Whether the table of proc(5) names swap that is neither in memory nor on an encrypted volume.
func hasPlainSwap(_ table: String?) -> Bool {
    guard let table else { return false }
    return table.split(separator: "\n").dropFirst().contains { line in
        !["/dev/zram", "/dev/dm-", "/dev/mapper/"].contains { line.hasPrefix($0) }
    }
}

private func contents(of path: String) throws(FileFailure) -> String {
    let file = try FileDescriptor(open(path, O_RDONLY | O_CLOEXEC))
    return String(decoding: try file.contents(atMost: 64 << 10), as: UTF8.self)
}
