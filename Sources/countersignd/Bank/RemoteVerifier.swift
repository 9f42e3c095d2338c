import CommandLineTool
import Cryptography
import HTTPClient
import OneTimePassword
import TransactionApproval
import Verification

/// A verifier over the network, and the token that is shown to it.
struct RemoteVerifier: Sendable {
    let origin: ServerOrigin
    let token: FilePath
    let authorities: FilePath?

    /// Longer than it keeps anybody waiting for a transaction.
    private static let requestLimit = Duration.seconds(75)
    private static let maximumResponseByteCount = 4 << 20
    /// Why something may be there all the same that is not found.
    static let doubt = "a token of one enterprise sees no other"

    func bank() throws(CommandFailure) -> Bank {
        let connection = try connection()
        return Bank(doubtingAbsence: Self.doubt) { request async throws(CommandFailure) in
            do throws(HTTPFailure) {
                let response = try await connection.client.send(connection.request(request))
                return Bank.Reply(status: response.status, body: response.body)
            } catch {
                throw CommandFailure(error, of: request, at: connection.origin)
            }
        }
    }

    /// What can send questions there.
    struct Connection: Sendable {
        let client: HTTPClient
        let origin: ServerOrigin
        fileprivate let authorization: HTTPHeaderLine

        func request(_ request: APIRequest) -> HTTPRequest {
            HTTPRequest(request, at: origin, authorization)
        }
    }

    func connection() throws(CommandFailure) -> Connection {
        var settings = HTTPClient.Configuration()
        settings.authorities = authorities?.text
        settings.allowsPlainLoopback = true
        settings.requestLimit = Self.requestLimit
        settings.longestResponse = Self.maximumResponseByteCount
        let client: HTTPClient
        do throws(HTTPFailure) {
            client = try HTTPClient(settings)
        } catch {
            throw CommandFailure(.internalFailure, "libcurl cannot be used")
        }
        return Connection(
            client: client,
            origin: origin,
            authorization: HTTPHeaderLine("authorization", "Bearer \(try shownToken())")
        )
    }

    /// What is no token is shown to nobody: it may be another secret.
    private func shownToken() throws(CommandFailure) -> String {
        let text: SecureBytes
        do throws(KeyFile.Failure) {
            text = try KeyFile.text(in: .file(token.text))
        } catch .file(.missing) {
            throw CommandFailure(.noInput, "the token \(token.text) is not there")
        } catch .file(let failure) {
            throw CommandFailure(failure, of: .file(token.text))
        } catch .machine(let failure) {
            throw CommandFailure(failure)
        } catch {
            throw .noToken(in: token)
        }
        let shown: String?
        do throws(CryptographyFailure) {
            // It leaves the process as a header.
            shown = try text.withBytes { text throws(CryptographyFailure) in
                try BankTokenText.shown(in: text)
            }
        } catch {
            throw CommandFailure(SystemFailure(error))
        }
        guard let shown else { throw .noToken(in: token) }
        return shown
    }
}

extension HTTPRequest {
    fileprivate init(
        _ request: APIRequest,
        at origin: ServerOrigin,
        _ authorization: HTTPHeaderLine
    ) {
        let content = request.content ?? []
        let method: Method =
            switch request.method {
            case .get: .get
            case .put: .put(content)
            case .post: .post(content)
            case .delete: .delete
            }
        self.init(
            method,
            origin.text + request.target,
            headers: [authorization] + request.header.map { HTTPHeaderLine($0.name, $0.value) }
        )
    }
}
