import Cryptography
import HTTPClient
import HTTPServer
import JOSE

/// `countersign-acs run` in its own process, with purchases that await their AReqs.
final class RunningIssuer {
    private let folder: IssuerFolder
    let server: RunningServer
    private let client: HTTPClient
    private let signer: JWS.VerificationKey
    private var purchases: ArraySlice<AppPurchase>

    init(purchaseCount: Int, asking verifier: StandInVerifier) throws {
        let purchases = try (0..<purchaseCount).map { try AppPurchase($0) }
        self.purchases = purchases[...]
        folder = try IssuerFolder(with: purchases, asking: verifier)
        server = try RunningServer(folder.command(["run"]), logging: "started")
        client = try HTTPClient(trusting: folder.certificate)
        signer = JWS.VerificationKey(try folder.certificate.publicKey())
    }

    /// Sends the AReqs of `count` purchases with as many connections as `Load` has.
    func timePerRequest(_ count: Int) async throws -> Double {
        let requests = try take(count).map { Self.request($0.request, of: .authentication) }
        return try await Load(
            of: requests,
            to: [folder.directoryPort],
            showing: folder.certificate,
            expecting: #""transStatus":"C""#
        ).timePerExchange
    }

    /// Sends the next CReqs, to which the page is the response.
    func timePerChallengeRequest(_ purchases: [AppPurchase]) async throws -> Double {
        var requests: [[UInt8]] = []
        for purchase in purchases {
            requests.append(Self.request(try await purchase.nextRequest(), of: .challenge))
        }
        return try await Load(
            of: requests,
            to: [folder.challengePort],
            expecting: "application/jose"
        ).timePerExchange
    }

    /// Makes `count` purchases that wait for the approval of the person.
    func begin(_ count: Int) async throws -> [AppPurchase] {
        let purchases = try take(count)
        let (client, signer) = (client, signer)
        let (directoryPort, challengePort) = (folder.directoryPort, folder.challengePort)
        _ = try await concurrently(purchases) { purchase, _ in
            let response = try await client.post(purchase.request, .authentication, directoryPort)
            try await purchase.accept(response, signedBy: signer)
            let request = try await purchase.nextRequest()
            let page = try await client.post(request, .challenge, challengePort)
            guard page.starts(with: "ey".utf8) else {
                throw BenchmarkFailure(String(decoding: page, as: UTF8.self))
            }
        }
        return purchases
    }

    /// An AReq with its ARes, and a CReq with its CRes.
    func sample() async throws -> Sample {
        let (client, folder) = (client, folder)
        let purchase = try take(1)[0]
        let answer = try await client.post(
            purchase.request,
            .authentication,
            folder.directoryPort
        )
        try await purchase.accept(answer, signedBy: signer)
        let request = try await purchase.nextRequest()
        let page = try await client.post(request, .challenge, folder.challengePort)
        return Sample(
            authentication: Sample.Exchange(request: purchase.request, response: answer),
            challenge: Sample.Exchange(request: request, response: page)
        )
    }

    struct Sample {
        struct Exchange {
            let request: [UInt8]
            let response: [UInt8]
        }

        let authentication: Exchange
        let challenge: Exchange
    }

    /// In bytes.
    var memory: Double {
        get throws { try ResidentMemory(of: server.process).all }
    }

    /// In bytes.
    var storeSize: Double {
        get throws { try folder.storeSize }
    }

    var certificate: Certificate { folder.certificate }

    private func take(_ count: Int) throws -> [AppPurchase] {
        guard purchases.count >= count else { throw BenchmarkFailure("no purchase is left") }
        defer { purchases = purchases.dropFirst(count) }
        return Array(purchases.prefix(count))
    }
}

// MARK: Requests

/// The requests that an ACS gets during a purchase in an app.
enum IssuerCall: String {
    case authentication = "/3ds/authentication"
    case challenge = "/3ds/challenge"

    var contentType: String {
        switch self {
        case .authentication: "application/json; charset=utf-8"
        case .challenge: "application/jose; charset=utf-8"
        }
    }
}

extension RunningIssuer {
    static func request(_ body: [UInt8], of call: IssuerCall) -> [UInt8] {
        let head = [
            "POST \(call.rawValue) HTTP/1.1", "Host: localhost",
            "Content-Type: \(call.contentType)", "Content-Length: \(body.count)", "", "",
        ]
        return Array(head.joined(separator: "\r\n").utf8) + body
    }
}

extension HTTPClient {
    fileprivate init(trusting certificate: Certificate) throws {
        var configuration = Configuration()
        configuration.authorities = certificate.file
        configuration.clientCertificate = ClientCertificate(
            certificates: certificate.file,
            privateKey: certificate.file
        )
        try self.init(configuration)
    }

    fileprivate func post(_ body: [UInt8], _ call: IssuerCall, _ port: Int) async throws -> [UInt8]
    {
        let url = "https://localhost:\(port)\(call.rawValue)"
        let type = HTTPHeaderLine("content-type", call.contentType)
        let response = try await send(HTTPRequest(.post(body), url, headers: [type]))
        guard response.status == 200 else {
            throw BenchmarkFailure("\(call.rawValue) has the status \(response.status)")
        }
        return response.body
    }
}
