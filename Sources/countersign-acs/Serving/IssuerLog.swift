import Cryptography
import HTTPClient
import HTTPServer
import ServerOperation
import Storage
import StrictJSON
import ThreeDSIssuer
import Transactions

extension Log {
    /// Failures are errors, and each route has its requests.
    func write(_ event: IssuerObserver.Event) {
        switch event {
        case .verifierFailed(let failure, let id, let card):
            write(
                .error,
                "verifier failed",
                [
                    "reason": .string(failure.words), "authentication": id.map { .string($0) },
                    "card": card.map { .string($0.text) },
                ]
            )
        case .resultFailed(let id, let reason, let count):
            write(
                .error,
                "result not delivered",
                [
                    "authentication": .string(id), "reason": .string(reason),
                    "attempts": .number(JSONNumber(count)),
                ]
            )
        case .resultGivenUp(let id):
            write(.error, "result given up", ["authentication": .string(id)])
        case .resultRefused(let id, let code):
            write(
                .error,
                "result refused",
                ["authentication": .string(id), "code": .string(code)]
            )
        case .resultUnacknowledged(let id, let code, let errorFailure):
            write(
                .error,
                "result not acknowledged",
                [
                    "authentication": .string(id), "code": .string(code),
                    "errorFailure": errorFailure.map { .string($0) },
                ]
            )
        case .errorReceived(let id, let code, let endsChallenge):
            write(
                .error,
                "error received",
                [
                    "authentication": .string(id), "code": .string(code),
                    "challengeEnded": .boolean(endsChallenge),
                ]
            )
        case .eventFailed(let id, let reason, let count):
            write(
                .error,
                "event not delivered",
                [
                    "authentication": .string(id), "reason": .string(reason),
                    "attempts": .number(JSONNumber(count)),
                ]
            )
        case .eventGivenUp(let id):
            write(.error, "event given up", ["authentication": .string(id)])
        case .storeFailed(let failure):
            write(.error, "store failed", ["reason": .string(failure.sentence(about: "the store"))])
        }
    }

    /// Failures that differ from all logged ones are only counted for a while.
    func writeFurtherFailures() {
        let count = JSONNumber(RecentFailures.maximumCount)
        write(.error, "further failures", ["logged": .number(count)])
    }

    func write(_ response: RoutedResponse, by listener: String, lasting duration: Duration) {
        write(
            .info,
            "request completed",
            [
                "listener": .string(listener), "route": .string(response.route),
                "outcome": .string(response.outcome),
                "status": .number(JSONNumber(response.response.status)),
                "microseconds": .number(JSONNumber(Int64(duration.inSeconds * 1e6))),
            ]
        )
    }
}

extension Log {
    /// An error for each expired certificate in the file of a listener.
    ///
    /// All clients reject one of the server itself. A client that knows another certificate of the
    /// CA accepts the server despite an expired one.
    func write(expiryOf tls: TLSFiles) {
        // `try?`: the listener has just read the file.
        let certificates = (try? CertificateFile(tls.certificate).certificates()) ?? []
        for (index, certificate) in certificates.enumerated() where certificate.isExpired {
            write(
                .error,
                index == 0 ? "certificate expired" : "intermediate certificate expired",
                [
                    "certificate": .string(tls.certificate),
                    "end": .string(certificate.end.rfc3339),
                ]
            )
        }
    }

    /// The clock of this machine is far ahead of the last authentication, so old rows stay.
    func write(lateClock last: Timestamp) {
        write(.error, "clock far ahead", ["lastAuthentication": .string(last.rfc3339)])
    }

    /// A passed check is repeated all day, so it is a detail.
    func write(check route: String, status: Int) {
        write(
            status == 200 ? .debug : .info,
            "request completed",
            [
                "listener": .string("operation"), "route": .string(route),
                "status": .number(JSONNumber(status)),
            ]
        )
    }
}

extension VerifierFailure {
    fileprivate var words: String {
        switch self {
        case .unreachable(.serverUntrusted): "the certificate of the verifier is not trusted"
        case .unreachable: "the verifier does not respond"
        case .unavailable: "the verifier is unavailable"
        case .refused(let code): "the verifier refused the call: \(code)"
        case .otherEnterprise: "the account is one of another enterprise"
        case .unreadable: "the response is not one of the bank's API"
        }
    }
}
