import CommandLineTool
import Cryptography
import HTTPServer
import OneTimePassword
import TransactionApproval
import Verifier
import VerifierServer

extension Installation {
    /// Lets `body` ask the routes themselves, with the operator on the audit trail.
    func withBank(
        _ body: (Bank) async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        // Where there is none, `bank(of:)` asks for nothing that tells it.
        guard let origin = configuration.server?.origin ?? ServerOrigin("https://localhost") else {
            throw .nowhere(configuration)
        }
        try await withVerifier { verifier throws(CommandFailure) in
            let api: BankAPI
            do throws(CryptographyFailure) {
                api = try BankAPI(verifier, at: origin, metrics: Metrics())
            } catch {
                throw CommandFailure(MachineFailure(error))
            }
            try await body(bank(of: api))
        }
    }

    private func bank(of api: BankAPI) -> Bank {
        Bank { [configuration] question async throws(CommandFailure) in
            let isOfActivations = question.target.split(separator: "/").contains("activations")
            guard configuration.server != nil || !isOfActivations else {
                throw .nowhere(configuration)
            }
            do throws(Verifier.Failure) {
                return Bank.Reply(try await api.answer(toOperator: Request(question)))
            } catch {
                throw CommandFailure(error, of: configuration, asked: question)
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
        asked question: Question
    ) {
        let plain = CommandFailure(failure, of: configuration)
        switch failure {
        case .store(.uncertain), .journal:
            guard question.key != nil else { fallthrough }
            self.init(plain.exitCode, plain.message, hint: question.repetition)
        default: self = plain
        }
    }
}

extension Request {
    fileprivate init(_ question: Question) {
        self.init(
            method: question.method.rawValue,
            target: question.target,
            fields: question.header.map { Field($0.name, $0.value) },
            body: question.content ?? []
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
