package import CommandLineTool
import Glibc
package import ServerOperation

/// An open file descriptor with the encryption keys, so that no file on this machine contains them.
///
/// `descriptor:3` is a number that the parent process opened. `descriptor:keys` is a name that a
/// service manager assigned.
///
/// The descriptors of a service manager also start at 3, and their numbers change with its units. A
/// socket is not a file of keys. So they must be named.
package struct KeyDescriptor {
    private let text: String
    /// A number or a name.
    private let place: String

    private static let prefix = "descriptor:"

    /// Nil for a path.
    package init?(_ member: String) {
        guard member.hasPrefix(Self.prefix) else { return nil }
        text = member
        place = String(member.dropFirst(Self.prefix.count))
    }

    package func opened(by manager: ServiceManager) throws(CommandFailure) -> Int32 {
        let numbered = Int32(place).flatMap { $0 > STDERR_FILENO ? $0 : nil }
        if let taken = manager.descriptors.first(where: { $0.number == numbered }) {
            let name = taken.name.isEmpty ? "" : " as \(taken.name)"
            throw failure(.malformedInput, "is a descriptor of the service manager\(name)")
                .suggesting(
                    """
                    write OpenFile=/run/keys/encryption:keys:read-only in the unit, and \
                    "descriptor:keys" in the configuration
                    """
                )
        }
        let named = manager.descriptors.filter { !place.isEmpty && $0.name == place }
        guard named.count <= 1 else {
            throw failure(.malformedInput, "names several descriptors")
                .suggesting("give each descriptor its own name in its unit")
        }
        // A number that no other process opened can be a file of this process. Its files close on
        // `exec`; an inherited descriptor does not.
        guard let number = numbered ?? named.first?.number, fcntl(number, F_GETFD) == 0 else {
            throw failure(.noInput, "is not open")
                .suggesting("open it in the parent process (3<FILE in a shell), or with OpenFile=")
        }
        return number
    }

    private func failure(_ exitCode: ExitCode, _ reason: String) -> CommandFailure {
        CommandFailure(exitCode, "\(text), for the encryption keys, \(reason)")
    }
}
