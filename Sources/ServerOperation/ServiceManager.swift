import Glibc

/// The program that started this process and supervises it: systemd, or another with its protocol.
///
/// Environment variables name the sockets and files that it opened (sd_listen_fds(3)), and the socket
/// that receives the status of this process (sd_notify(3)).
package struct ServiceManager: Sendable {
    package enum Notice {
        case ready, reloading, stopping
    }

    /// A file or socket that was opened for this process, with its name in the unit.
    package struct Descriptor: Equatable, Sendable {
        package let number: Int32
        package let name: String
    }

    package let descriptors: [Descriptor]
    private let noticePath: String?

    private static let firstDescriptor: Int32 = 3

    /// Without descriptors and a socket if no service manager started the program.
    package static var ofEnvironment: ServiceManager {
        let count = variable("LISTEN_PID") == String(getpid()) ? variable("LISTEN_FDS") : nil
        let names = variable("LISTEN_FDNAMES")?.split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        let descriptors = (0..<max(0, count.flatMap { Int32($0) } ?? 0)).map { index in
            Descriptor(
                number: firstDescriptor + index,
                name: names?.dropFirst(Int(index)).first.map(String.init) ?? ""
            )
        }
        return ServiceManager(descriptors: descriptors, noticePath: variable("NOTIFY_SOCKET"))
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// A manager that cannot be reached finds out by its own deadlines.
    package func notify(_ notice: Notice) {
        guard let noticePath, let address = address(of: noticePath) else { return }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Array(notice.text.utf8)
        withUnsafePointer(to: address.name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                _ = sendto(descriptor, text, text.count, 0, name, address.size)
            }
        }
    }

    /// A path, or, behind `@`, a name that is in no folder (unix(7)).
    private func address(of path: String) -> (name: sockaddr_un, size: socklen_t)? {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let isAbstract = path.hasPrefix("@")
        let bytes = isAbstract ? [0] + path.utf8.dropFirst() : Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: name.sun_path) else { return nil }
        let start = MemoryLayout.size(ofValue: name) - MemoryLayout.size(ofValue: name.sun_path)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        return (name, socklen_t(start + bytes.count))
    }
}

extension ServiceManager.Notice {
    fileprivate var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)"
        case .stopping: "STOPPING=1"
        }
    }

    private static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
