import CommandLineTool
import Glibc
import HTTPServer

extension Configuration.Listening {
    /// Where requests come in: over these sockets or, where there are none, at its own addresses.
    func listeners(inheriting sockets: [Int32]) throws(CommandFailure) -> [Listener] {
        let settings = try tls.map { tls throws(CommandFailure) in
            try tls.checkKey()
            return TLSSettings(certificateFile: tls.certificate, keyFile: tls.key)
        }
        var listeners: [Listener] = []
        do throws(ServerFailure) {
            for socket in sockets {
                listeners.append(try Listener(inherited: socket, tls: settings))
            }
            for address in sockets.isEmpty ? addresses : [] {
                listeners.append(try Listener(address.host, port: address.port, tls: settings))
            }
        } catch {
            throw CommandFailure(error, of: self)
        }
        guard !listeners.isEmpty else { throw .listensNowhere(self) }
        guard tls != nil || listeners.allSatisfy(\.isLoopback) else { throw .plain(self) }
        return listeners
    }
}

extension Configuration.TLS {
    /// Refuses a key that every user of the machine may read.
    ///
    /// Its group may: certificates are often renewed by another user.
    func checkKey() throws(CommandFailure) {
        var status = stat()
        guard stat(key, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.noInput, "cannot open the key \(key): \(reason)")
        }
        guard status.st_mode & (S_IRWXO | S_IWGRP) == 0 else {
            throw CommandFailure(
                .noPermission,
                "the key \(key) is open to others",
                hint: "allow its owner alone to read and write it: chmod 600"
            )
        }
    }
}

extension CommandFailure {
    fileprivate static func listensNowhere(_ listening: Configuration.Listening) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "the member \(listening.name).listen is empty",
            hint: "name an address with its port, or have a service manager hand over a socket"
        )
    }

    fileprivate static func plain(_ listening: Configuration.Listening) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(listening.name) would be plain HTTP beyond this machine",
            hint: "name certificate and key in \(listening.name).tls, or listen at 127.0.0.1 alone"
        )
    }

    init(_ failure: ServerFailure, of listening: Configuration.Listening) {
        let name = listening.name
        switch failure {
        case .malformedAddress(let address):
            self.init(
                .malformedInput,
                "\(address) in \(name).listen is no address in numbers",
                hint: "what a name means may change: write 192.0.2.1:443 or [2001:db8::1]:443"
            )
        case .notListening(let descriptor):
            self.init(
                .noInput,
                "descriptor \(descriptor) is no TCP socket that listens",
                hint: "look at the socket unit: ListenStream= with an address of the internet"
            )
        case .unreadableCertificate(let path):
            self.init(
                .noInput,
                "\(path) is not there, or is no certificate in PEM",
                hint: "look at \(name).tls.certificate in the configuration"
            )
        case .unusableKey(let path):
            self.init(
                .malformedInput,
                "\(path) is no key in PEM, has a password, or is another certificate's",
                hint: "look at \(name).tls.key in the configuration"
            )
        case .unreadableAuthorities(let path):
            self.init(.noInput, "\(path) is not there, or holds no certificates in PEM")
        case .noTLS: self.init(.internalFailure, "TLS cannot be had from OpenSSL")
        case .system(let number): self.init(system: number, listening)
        }
    }

    private init(system number: Int32, _ listening: Configuration.Listening) {
        let addresses = listening.addresses.map { $0.text(port: $0.port) }.joined(separator: ", ")
        let hint: String? =
            switch number {
            case EADDRINUSE: "another program has the port; ss -ltnp tells which"
            case EADDRNOTAVAIL: "ip address tells which addresses this machine has"
            case EACCES: "ports below 1024 need CAP_NET_BIND_SERVICE, or a socket handed over"
            default: nil
            }
        self.init(
            number == EACCES ? .noPermission : .tryLater,
            "cannot listen at \(addresses): \(String(cString: strerror(number)))",
            hint: hint
        )
    }
}
