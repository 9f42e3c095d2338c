import CLinux
import CommandLineTool
import ConfigurationFiles
import Glibc
import ServerOperation
import VerifierServer

extension Diagnostics {
    /// Enough for some hours of a busy verifier.
    private static let minimumFreeMiB = 256
    private static let minimumFreeFiles = 100

    func diskFindings() -> [Finding] {
        var places = [configuration.journal]
        if case .sqlite(let path) = configuration.store { places.append(path) }
        return places.compactMap { path in
            let folder = folder(of: path)
            let volume = Volume(of: path, holding: folder.isEmpty ? "." : folder)
            // Opening the file reports an inaccessible folder.
            guard let bytes = volume.freeBytes else { return nil }
            let free = bytes >> 20
            let hasFiles = (volume.freeFiles ?? .max) >= Self.minimumFreeFiles
            guard free < Self.minimumFreeMiB || !hasFiles else { return nil }
            return Finding(
                .disk,
                hasFiles
                    ? "the disk of \(path) has only \(free) MiB left"
                    : "the disk of \(path) has no free inodes",
                hint: "free some space: the verifier rejects requests that it cannot store"
            )
        }
    }

    /// TIME_ERROR of ntp_adjtime(3), which Swift does not import.
    private static let notSynchronized: CInt = 5

    /// A clock that nothing corrects is right for now, so it is only a warning.
    func synchronizationFindings() -> [Finding] {
        let state = countersign_clock_state()
        let reason = String(cString: strerror(errno))
        switch state {
        case Self.notSynchronized:
            return [
                Finding(
                    warning: .clock,
                    "the kernel reports that the clock is not synchronized",
                    hint: "synchronize it with NTP: run timedatectl set-ntp true, or install chrony"
                )
            ]
        case ..<0:
            return [
                Finding(
                    warning: .clock,
                    "the kernel does not report whether the clock is synchronized: \(reason)",
                    hint: "in a container, run timedatectl on its host"
                )
            ]
        default: return []
        }
    }
}
