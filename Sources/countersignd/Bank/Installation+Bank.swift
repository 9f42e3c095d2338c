import CommandLineTool
import Cryptography
import HTTPServer
import OneTimePassword
import TransactionApproval
import Verification
import VerifierServer

extension Installation {
    /// Lets `body` ask the routes themselves, with the operator on the audit trail.
    func withBank(
        _ body: (Bank) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        try await withVerifier { verifier throws(CommandFailure) in
            let api: BankAPI
            do throws(CryptographyFailure) {
                api = try BankAPI(
                    verifier,
                    at: configuration.server?.origin,
                    metrics: Metrics()
                )
            } catch {
                throw CommandFailure(SystemFailure(error))
            }
            try await body(bank(of: api))
        }
    }

    private func bank(of api: BankAPI) -> Bank {
        Bank { [configuration] request async throws(CommandFailure) in
            let isOfActivations = request.target.split(separator: "/").contains("activations")
            guard configuration.server != nil || !isOfActivations else {
                throw .nowhere(configuration)
            }
            do throws(Verifier.Failure) {
                return Bank.Reply(try await api.answer(toOperator: Request(request)))
            } catch {
                throw CommandFailure(error, of: configuration, asked: request)
            }
        }
    }
}

extension CommandFailure {
    fileprivate static func nowhere(_ configuration: Configuration) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(configuration.path) has no member server, so nobody can be told where to go",
            hint: "countersignd help init shows a whole configuration"
        )
    }

    /// What may have been done is to be repeated under its key alone, or it is done twice.
    fileprivate init(
        _ failure: Verifier.Failure,
        of configuration: Configuration,
        asked request: APIRequest
    ) {
        let plain = CommandFailure(failure, of: configuration)
        switch failure {
        case .store(.uncertain), .journal:
            guard request.key != nil else { fallthrough }
            self.init(plain.exitCode, plain.message, hint: request.repetition)
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
            body: request.content ?? []
        )
    }
}

extension Bank.Reply {
    fileprivate init(_ response: Response) {
        status = response.status
        body =
            switch response.body {
            case .bytes(let bytes): bytes
            // Only the audit trail comes as a stream, and has a command of its own.
            case .stream: []
            }
    }
}
