import CommandLineTool
import Glibc

/// An open file descriptor with the encryption keys, so that no file on this machine contains them.
///
/// `descriptor:3` is a number that the parent process opened. `descriptor:keys` is a name that a
/// service manager assigned.
///
/// The descriptors of a service manager also start at 3, and their numbers change with its units. A
/// socket is not a file of keys. So they must be named.
struct KeyDescriptor {
    private let text: String
    /// A number or a name.
    private let place: String

    private static let prefix = "descriptor:"

    /// Nil for a path.
    init?(_ member: String) {
        guard member.hasPrefix(Self.prefix) else { return nil }
        text = member
        place = String(member.dropFirst(Self.prefix.count))
    }

    func opened(by manager: ServiceManager) throws(CommandFailure) -> Int32 {
        let numbered = Int32(place).flatMap { $0 > STDERR_FILENO ? $0 : nil }
        if let taken = manager.descriptors.first(where: { $0.number == numbered }) {
            throw .belongsToServiceManager(text, taken)
        }
        let named = manager.descriptors.filter { !place.isEmpty && $0.name == place }
        guard named.count <= 1 else { throw .ambiguous(text) }
        // A number that no other process opened can be a file of this process. Its files close on
        // `exec`; an inherited descriptor does not.
        guard let number = numbered ?? named.first?.number, fcntl(number, F_GETFD) == 0 else {
            throw .notOpen(text)
        }
        return number
    }
}

extension CommandFailure {
    fileprivate static func notOpen(_ member: String) -> CommandFailure {
        CommandFailure(
            .noInput,
            "\(member), for the encryption keys, is not open",
            hint: "open it in the parent process (3<FILE in a shell), or with OpenFile="
        )
    }

    fileprivate static func belongsToServiceManager(
        _ member: String,
        _ taken: ServiceManager.Descriptor
    ) -> CommandFailure {
        let name = taken.name.isEmpty ? "" : " as \(taken.name)"
        return CommandFailure(
            .malformedInput,
            "\(member), for the encryption keys, is a descriptor of the service manager\(name)",
            hint: """
                write OpenFile=/run/keys/encryption:keys:read-only in the unit, and \
                "descriptor:keys" in the configuration
                """
        )
    }

    fileprivate static func ambiguous(_ member: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(member), for the encryption keys, names several descriptors",
            hint: "give each descriptor its own name in its unit"
        )
    }
}
