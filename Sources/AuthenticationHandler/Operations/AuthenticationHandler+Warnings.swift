import Glibc
import PrivateFiles

extension AuthenticationHandler {
    /// The current warnings.
    public func warnings() -> [DeviceWarning] {
        DeviceWarning.allCases.filter { warning in
            switch warning {
            case .debuggerAttached: isDebuggerAttached()
            case .runsAsRoot: geteuid() == 0
            case .coreDumpsOn: mayDumpCore()
            case .vaultOpenToOthers: isVaultOpenToOthers()
            // Without this information there is no warning: `try?`.
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

/// Reads the tracing process from proc(5).
private func isDebuggerAttached() -> Bool {
    // Without this information there is no warning: `try?`.
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

/// Whether the swap table of proc(5) contains unencrypted swap on a disk.
func hasPlainSwap(_ table: String?) -> Bool {
    guard let table else { return false }
    return table.split(separator: "\n").dropFirst().contains { line in
        !["/dev/zram", "/dev/dm-", "/dev/mapper/"].contains { line.hasPrefix($0) }
    }
}

private func contents(of path: String) throws(FileFailure) -> String {
    let contents = try FileDescriptor(reading: path).contents(atMost: 64 << 10)
    return String(decoding: contents, as: UTF8.self)
}
