import CommandLineTool
import HTTPClient
import ServerOperation
import ThreeDSIssuer
import ThreeDSProtocol

extension DirectoryConnection {
    /// Sends RReqs to the directory server, with the certificate of the ACS.
    func sender(isSandbox: Bool) throws(CommandFailure) -> ServedDirectory.Sender {
        var settings = HTTPClient.Configuration()
        settings.authorities = authorities
        settings.allowsPlainLoopback = isSandbox
        settings.clientCertificate = HTTPClient.ClientCertificate(
            certificates: client.certificate,
            privateKey: client.key
        )
        let limit = ProtocolTimer.resultsResponse.duration
        settings.connectionLimit = limit
        settings.requestLimit = limit
        let http: HTTPClient
        do throws(HTTPFailure) {
            http = try HTTPClient(settings)
        } catch {
            throw CommandFailure(
                .malformedInput,
                "the files of the directory \(rid) cannot be used"
            )
        }
        let results = results
        return { request async throws(ServedDirectory.ResultFailure) in
            let type = HTTPHeaderLine("content-type", "application/json; charset=utf-8")
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try await http.send(
                    HTTPRequest(.post(request), results, headers: [type])
                )
            } catch {
                throw .init("\(error)")
            }
            guard response.status == 200 else { throw .init("status \(response.status)") }
            return response.body
        }
    }
}
