import CommandLineTool
import Glibc

/// Where the encryption keys come through that no file of this machine holds: `descriptor:3`, for
/// what whoever begins the program opens as 3, or `descriptor:keys`, for what a service manager
/// hands over under that name.
///
/// A service manager's own begin with 3 too. So what it hands over has to be asked for by name: its
/// numbers change with its units, and a socket is no file of keys.
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
            throw .handedOver(text, taken)
        }
        let named = manager.descriptors.filter { !place.isEmpty && $0.name == place }
        guard named.count <= 1 else { throw .ambiguous(text) }
        // A number that nobody opened may be that of a file of ours, which is closed on `exec`: what
        // came through one is not.
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
            hint: """
                begin the program with it, from 3 on, as by 3< in a shell; a name is for what a \
                service manager hands over
                """
        )
    }

    fileprivate static func handedOver(
        _ member: String,
        _ taken: ServiceManager.Descriptor
    ) -> CommandFailure {
        let name = taken.name.isEmpty ? "" : " as \(taken.name)"
        return CommandFailure(
            .malformedInput,
            "\(member), for the encryption keys, is what the service manager hands over\(name)",
            hint: """
                name what it hands over: OpenFile=/run/keys/encryption:keys:read-only in the unit, \
                and "descriptor:keys" in the configuration
                """
        )
    }

    fileprivate static func ambiguous(_ member: String) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(member), for the encryption keys, is the name of several that were handed over",
            hint: "give each of them a name of its own in its unit"
        )
    }
}
