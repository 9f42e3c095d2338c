import AuthenticationHandler
package import Foundation
package import TransactionApproval

/// A request as a line of JSON.
package struct SpokenRequest: Codable {
    package let method: String
    package let targetURI: String
    package let fields: [SpokenField]
    package let body: Data
}

/// A response as a line of JSON.
package struct SpokenResponse: Codable {
    let status: Int
    let fields: [SpokenField]
    let body: Data

    package init(status: Int, fields: [SpokenField], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = Data(body)
    }
}

package struct SpokenField: Codable {
    package let name: String
    package let value: String

    package init(_ field: HTTPField) {
        name = field.name
        value = field.value
    }
}

/// Sends requests to the starting process, which forwards them to a verifier.
struct StandardStreams: HTTPTransport {
    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let message = request.message
        let spoken = SpokenRequest(
            method: message.method,
            targetURI: message.targetURI,
            fields: request.fields.map { SpokenField($0) },
            body: Data(message.body)
        )
        guard let line = try? JSONEncoder().encode(spoken) else { throw .unreachable }
        VaultProgram.writeLine(String(decoding: line, as: UTF8.self))
        guard
            let text = readLine(),
            let response = try? JSONDecoder().decode(SpokenResponse.self, from: Data(text.utf8))
        else { throw .unreachable }
        return UnverifiedResponse(
            status: response.status,
            fields: response.fields.map { HTTPField($0.name, $0.value) },
            body: Array(response.body)
        )
    }
}
