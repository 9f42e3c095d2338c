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
            case .swapNotEncrypted: (try? hasPlainSwap(in: contents(of: "/proc/swaps"))) ?? false
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
///
/// - Parameter devices: The folder in which the system describes its block devices.
func hasPlainSwap(in table: String, devices: String = "/sys/class/block") -> Bool {
    table.split(separator: "\n").dropFirst().contains { line in
        let path = line.prefix { $0 != " " && $0 != "\t" }
        guard path.hasPrefix("/dev/") else { return true }
        let name = path.dropFirst("/dev/".utf8.count)
        return !name.hasPrefix("zram") && !isEncrypted(String(name), in: devices)
    }
}

/// Whether dm-crypt encrypts a block device, or all devices on which it is.
private func isEncrypted(_ device: String, in devices: String) -> Bool {
    let description = "\(devices)/\(device)"
    // Only devices of the device mapper have this file: `try?`.
    if let id = try? contents(of: "\(description)/dm/uuid"), id.hasPrefix("CRYPT-") { return true }
    // A device that cannot be examined is not encrypted: `try?`.
    let parts = (try? names(in: "\(description)/slaves")) ?? []
    return !parts.isEmpty && parts.allSatisfy { isEncrypted($0, in: devices) }
}

private func names(in folder: String) throws(FileFailure) -> [String] {
    try FileDescriptor(reading: folder).names()
}

private func contents(of path: String) throws(FileFailure) -> String {
    let contents = try FileDescriptor(reading: path).contents(atMost: 64 << 10)
    return String(decoding: contents, as: UTF8.self)
}
