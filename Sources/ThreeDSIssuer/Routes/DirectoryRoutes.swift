import Cryptography
package import HTTPServer
import PrivateFiles
import Storage
import StrictJSON
import ThreeDSProtocol

/// The listener for directory servers, which show a client certificate.
package struct DirectoryRoutes: Sendable {
    private let service: IssuerService
    private let known: KnownDirectories

    package init(_ service: IssuerService) {
        self.service = service
        known = KnownDirectories(service.directories.values)
    }

    /// Of a body; longer ones are refused before they are read.
    package static let maximumByteCount = MessageType.areq.limits.byteCount

    private static let route = "POST /3ds/authentication"

    package func respond(to request: Request) async -> RoutedResponse {
        guard request.path == "/3ds/authentication" else { return .unknownPath }
        guard request.method == "POST" else {
            return .wrongMethod(Self.route, allowed: "POST")
        }
        guard let directory = known.directory(of: request.peer) else {
            return error(.accessDenied, to: request, status: 403)
        }
        do throws(StoreFailure) {
            let response = try await service.response(to: request.body, from: directory)
            guard let response else {
                return RoutedResponse(Response(status: 400), by: Self.route, "unreadable")
            }
            let isEmpty = response.body.isEmpty
            return RoutedResponse(
                isEmpty ? Response(status: 200) : .json(response.body),
                by: Self.route,
                response.outcome
            )
        } catch {
            service.observer.report(.storeFailed(error))
            return self.error(.transientFailure, to: request, status: 503)
        }
    }

    private func error(
        _ code: MessageErrorCode,
        to request: Request,
        status: Int
    ) -> RoutedResponse {
        let fault = MessageFault(code, claimedIn: request.body, as: .areq)
        // The message has only texts of this program: `try?`.
        let body = (try? fault.errorMessage(from: .acs)?.written()) ?? []
        return RoutedResponse(.json(body, status: status), by: Self.route, code.rawValue)
    }
}

/// The directory servers, by the certificates that they have shown.
private final class KnownDirectories: Sendable {
    private let directories: [ServedDirectory]
    /// With certificates in DER: a certificate never has another key, and a directory no other keys
    /// while the ACS runs.
    ///
    /// They are few, and comparing one costs less than hashing it.
    private let known = LockedValue<[(der: [UInt8], directory: ServedDirectory)]>([])

    /// More certificates than all directories have at the same time.
    private static let maximumCount = 256

    init(_ directories: some Sequence<ServedDirectory>) {
        self.directories = Array(directories)
    }

    /// The directory whose client certificate has this key (SEC-74).
    ///
    /// Its CA has issued the certificate, or the connection would not be open.
    func directory(of peer: Peer) -> ServedDirectory? {
        guard let der = peer.certificate else { return nil }
        if let known = known.withLock({ $0.first { $0.der == der } }) { return known.directory }
        // A certificate of another kind is one of a stranger: `try?`.
        guard let certificate = try? Certificate(der: der.span),
            let key = try? certificate.publicKey(),
            let directory = directories.first(where: { $0.clientKeys.contains(key) })
        else { return nil }
        known.withLock { known in
            if known.count >= Self.maximumCount { known = [] }
            known.append((der, directory))
        }
        return directory
    }
}
