import Cryptography
package import HTTPServer
import Storage
import StrictJSON
import ThreeDSProtocol

/// The listener for directory servers, which show a client certificate.
package struct DirectoryRoutes: Sendable {
    private let service: IssuerService

    package init(_ service: IssuerService) {
        self.service = service
    }

    /// Of a body; longer ones are refused before they are read.
    package static let maximumByteCount = MessageType.areq.limits.byteCount

    private static let route = "POST /3ds/authentication"

    package func respond(to request: Request) async -> RoutedResponse {
        await untilItsEnd { await response(to: request) }
    }

    private func response(to request: Request) async -> RoutedResponse {
        guard request.path == "/3ds/authentication" else { return .unknownPath }
        guard request.method == "POST" else {
            return .wrongMethod(Self.route, allowed: "POST")
        }
        guard let directory = service.directory(of: request.peer) else {
            return error(.accessDenied, to: request, status: 403)
        }
        do throws(StoreFailure) {
            guard let body = try await service.response(to: request.body, from: directory) else {
                return RoutedResponse(Response(status: 400), by: Self.route, "unreadable")
            }
            return RoutedResponse(.json(body), by: Self.route, Self.outcome(of: body))
        } catch {
            service.observer.report(.storeFailed(error))
            return self.error(.transientFailure, to: request, status: 503)
        }
    }

    private func error(
        _ code: ErrorCode,
        to request: Request,
        status: Int
    ) -> RoutedResponse {
        let fault = MessageFault(code, claimedIn: request.body, as: .areq)
        // The message has only texts of this program: `try?`.
        let body = (try? fault.errorMessage(from: .acs)?.written()) ?? []
        return RoutedResponse(.json(body, status: status), by: Self.route, code.rawValue)
    }

    /// `transStatus`, or the code of an error message.
    private static func outcome(of body: [UInt8]) -> String {
        // This program wrote the body: `try?`.
        let message = try? JSONValue(reading: body, limits: MessageType.ares.limits)
        return message?["transStatus"]?.text ?? message?["errorCode"]?.text ?? "unknown"
    }
}

extension IssuerService {
    /// The directory whose client certificate has this key (SEC-74).
    ///
    /// Its CA has issued the certificate, or the connection would not be open.
    fileprivate func directory(of peer: Peer) -> ServedDirectory? {
        // A certificate of another kind is one of a stranger: `try?`.
        guard let der = peer.certificate, let certificate = try? Certificate(der: der.span),
            let key = try? certificate.publicKey()
        else { return nil }
        return directories.values.first { $0.clientKeys.contains(key) }
    }
}
