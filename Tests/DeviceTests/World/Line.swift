import AuthenticationHandler
import Foundation
import HTTPServer
import PrivateFiles
import TransactionApproval
import VaultProgram
import VerifierServer

/// The connection from devices to their verifier: it forwards everything until a test breaks it.
final class Line: HTTPTransport {
    enum Fault {
        /// The request never arrives.
        case requestLost
        /// The request arrives, and the response is lost.
        case responseLost
        /// The request arrives when the test releases it, after the device gave up.
        case requestHeldUp
        /// An attacker on the network responds.
        case responseForged
    }

    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var api: DeviceAPI
    private nonisolated(unsafe) var faults: [DeviceRoute: Fault] = [:]
    private nonisolated(unsafe) var free: [DeviceRoute: Int] = [:]
    private nonisolated(unsafe) var heldUp: [Request] = []
    private nonisolated(unsafe) var receivedRoutes: [DeviceRoute] = []
    private nonisolated(unsafe) var carried: [Exchange] = []

    /// The requests that arrived, and their responses, also the lost ones.
    struct Exchange {
        let route: DeviceRoute?
        let request: [UInt8]
        let response: [UInt8]
    }

    init(to api: DeviceAPI) {
        self.api = api
    }

    /// Every request so far, by its route.
    var routes: [DeviceRoute] { lock.withLock { receivedRoutes } }

    var exchanges: [Exchange] { lock.withLock { carried } }

    /// The code of every request that arrived and had one.
    var codes: [CodeEnvelope] { exchanges.compactMap { CodeCarrier.code(in: $0.request) } }

    func lead(to api: DeviceAPI) { lock.withLock { self.api = api } }

    /// Breaks these routes until the line is repaired.
    func fail(_ routes: DeviceRoute..., by fault: Fault) {
        lock.withLock { for route in routes { faults[route] = fault } }
    }

    /// Breaks a route after it was used this many times.
    func fail(_ route: DeviceRoute, by fault: Fault, after uses: Int) {
        lock.withLock {
            faults[route] = fault
            free[route] = uses
        }
    }

    func cut() {
        lock.withLock { for route in DeviceRoute.allCases { faults[route] = .requestLost } }
    }

    func mend() { lock.withLock { faults = [:] } }

    /// Delivers the delayed requests, and returns the statuses of their lost responses.
    func deliverHeldUp() async -> [Int] {
        let requests = lock.withLock {
            defer { heldUp = [] }
            return heldUp
        }
        var statuses: [Int] = []
        for request in requests { statuses.append(await carry(request).status) }
        return statuses
    }

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let message = request.message
        let request = Request(
            method: message.method,
            target: String(message.targetURI.dropFirst(World.origin.utf8.count)),
            fields: request.fields.map { Field($0.name, $0.value) },
            body: message.body
        )
        switch fault(for: request) {
        case .requestLost: throw .unreachable
        case .requestHeldUp:
            lock.withLock { heldUp.append(request) }
            throw .responseMissing
        case .responseLost:
            _ = await carry(request)
            throw .responseMissing
        case .responseForged:
            return UnverifiedResponse(status: 200, fields: [], body: Array("{}".utf8))
        case nil:
            let response = await carry(request)
            return UnverifiedResponse(response)
        }
    }

    /// Forwards requests of another process.
    func response(to request: SpokenRequest) async -> SpokenResponse {
        let request = Request(
            method: request.method,
            target: String(request.targetURI.dropFirst(World.origin.utf8.count)),
            fields: request.fields.map { Field($0.name, $0.value) },
            body: Array(request.body)
        )
        let response = await carry(request)
        return SpokenResponse(
            status: response.status,
            fields: response.fields.map { SpokenField(HTTPField($0.name, $0.value)) },
            body: response.bytes
        )
    }

    private func carry(_ request: Request) async -> Response {
        let response = await lock.withLock { api }.respond(to: request)
        let exchange = Exchange(
            route: DeviceRoute(rawValue: request.target),
            request: request.body,
            response: response.bytes
        )
        lock.withLock { carried.append(exchange) }
        return response
    }

    private func fault(for request: Request) -> Fault? {
        lock.withLock {
            guard let route = DeviceRoute(rawValue: request.target) else { return nil }
            receivedRoutes.append(route)
            if let uses = free[route], uses > 0 {
                free[route] = uses - 1
                return nil
            }
            return faults[route]
        }
    }
}

/// The common members of requests with a code.
private struct CodeCarrier: Decodable {
    let envelope: CodeEnvelope

    static func code(in body: [UInt8]) -> CodeEnvelope? {
        // Most requests have no code: `try?`.
        try? JSONDecoder().decode(CodeCarrier.self, from: Data(body)).envelope
    }
}

extension UnverifiedResponse {
    fileprivate init(_ response: Response) {
        self.init(
            status: response.status,
            fields: response.fields.map { HTTPField($0.name, $0.value) },
            body: response.bytes
        )
    }
}

extension Response {
    /// A response to a device is never a stream here.
    fileprivate var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
