import CommandLineTool
import Cryptography
import FailureTranslation
import HTTPServer
import Storage
import TransactionApproval
import Verification
import VerifierServer

extension Installation {
    /// Runs `body` with a client of the API in this process; the audit trail names the operator.
    func withClient(
        _ body: (BankAPIClient) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        try await withVerifier { verifier throws(CommandFailure) in
            let api = try translatingSystemFailure(
                BankAPI(
                    verifier,
                    at: configuration.origin,
                    servesWebDevices: configuration.verifier.web != nil,
                    metrics: Metrics()
                ),
                to: CommandFailure.init(_:)
            )
            try await body(client(of: api))
        }
    }

    private func client(of api: BankAPI) -> BankAPIClient {
        BankAPIClient { [configuration] request async throws(CommandFailure) in
            let isOfActivations = request.target.split(separator: "/").contains("activations")
            guard configuration.origin != nil || !isOfActivations else {
                let member = "has no member server.origin, which an activation needs"
                throw CommandFailure(.malformedInput, "\(configuration.path) \(member)")
                    .suggesting("countersignd help init shows a complete configuration")
            }
            return try await translatingAsync(
                APIResponse(await api.respond(toOperator: Request(request)))
            ) { (failure: Verifier.Failure) in CommandFailure(failure, of: configuration, request) }
        }
    }
}

extension CommandFailure {
    /// If the result is unknown, only the idempotency key makes a repetition safe.
    fileprivate init(
        _ failure: Verifier.Failure,
        of configuration: Configuration,
        _ request: APIRequest
    ) {
        let plain = CommandFailure(failure, of: configuration)
        switch failure {
        case .store(.uncertain), .journal:
            guard request.key != nil else { fallthrough }
            self.init(plain.exitCode, plain.message, hint: request.retryHint)
        default: self = plain
        }
    }
}

extension Request {
    fileprivate init(_ request: APIRequest) {
        self.init(
            method: request.method.rawValue,
            target: request.target,
            fields: request.header.map { Field($0.name, $0.value) },
            body: request.body ?? []
        )
    }
}

extension APIResponse {
    fileprivate init(_ response: Response) {
        status = response.status
        body =
            switch response.body {
            case .bytes(let bytes): bytes
            // Only the audit trail is a stream, and audit export reads it from the store.
            case .stream: []
            }
    }
}
