import CReference
import FoundationEssentials
import HTTPServer
import ThreeDSIssuer
import Transactions

/// The necessary parts of the steps of an ACS, each alone on the whole machine.
final class IssuerParts {
    private let certificate: Certificate
    private let sample: RunningIssuer.Sample
    /// Of servers that always send the response of the sample.
    private let ports: (authentication: Int, challenge: Int)
    private let verifier: VerifierClient
    private let account: CardAccount
    private let storage: IssuerStorage
    private var purchases: [AppPurchase] = []

    init(
        _ sample: RunningIssuer.Sample,
        showing certificate: Certificate,
        asking verifier: StandInVerifier,
        _ storage: IssuerStorage
    ) async throws {
        (self.certificate, self.sample, self.storage) = (certificate, sample, storage)
        ports = (
            try await Self.serve(sample.authentication.response, certificate, authenticates: true),
            try await Self.serve(sample.challenge.response, certificate, authenticates: false)
        )
        guard let account = CardAccount("bank/main/1") else { throw BenchmarkFailure("no account") }
        self.account = account
        self.verifier = try verifier.client(of: account.enterprise)
    }

    /// TLS with a client's certificate, the secure channel, readiness over TLS, and the commit.
    func timePerRequest(_ count: Int) async throws -> Double {
        let request = RunningIssuer.request(sample.authentication.request, of: .authentication)
        let carried = try await Load(
            of: Array(repeating: request, count: count),
            to: [ports.authentication],
            showing: certificate
        ).timePerExchange
        let channel = try await timeOnAllCores(count: 200, reference_channel)
        let asked = try await timeOfReadiness(count)
        return carried + channel + asked + (try await storage.timePerRequest(count))
    }

    /// TLS, the decryption, the encryption, and the commit.
    func timePerChallengeRequest(_ count: Int) async throws -> Double {
        let request = RunningIssuer.request(sample.challenge.request, of: .challenge)
        let carried = try await Load(
            of: Array(repeating: request, count: count),
            to: [ports.challenge]
        ).timePerExchange
        // Three bytes of the plaintext are four characters of the token.
        let message = [UInt8](repeating: 0x41, count: sample.challenge.request.count * 3 / 4)
        let page = [UInt8](repeating: 0x41, count: sample.challenge.response.count * 3 / 4)
        let opened = try await timeOnAllCores(count: 2000) { count, last in
            message.withUnsafeBufferPointer {
                reference_jwe_open(false, $0.baseAddress, $0.count, count, last)
            }
        }
        let sealed = try await timeOnAllCores(count: 2000) { count, last in
            page.withUnsafeBufferPointer {
                reference_jwe_seal(false, $0.baseAddress, $0.count, count, last)
            }
        }
        if purchases.isEmpty { purchases = try await storage.begin(count) }
        return carried + opened + sealed
            + (try await storage.timePerChallengeRequest(purchases))
    }

    private func timeOfReadiness(_ count: Int) async throws -> Double {
        let (verifier, account) = (verifier, account)
        let start = ContinuousClock.now
        _ = try await concurrently(Array(repeating: account, count: count)) { account, _ in
            try await verifier.readiness(of: account)
        }
        return (ContinuousClock.now - start) / .microseconds(count)
    }

    /// It serves until this process ends.
    private static func serve(
        _ body: [UInt8],
        _ certificate: Certificate,
        authenticates: Bool
    ) async throws -> Int {
        let settings = TLSSettings(
            certificateFile: certificate.file,
            keyFile: certificate.file,
            clientAuthoritiesFile: authenticates ? certificate.file : nil
        )
        let server = try Server([Listener("127.0.0.1", port: 0, tls: settings)]) { _ in
            Response(status: 200, body: .bytes(body))
        }
        try await server.start()
        return server.ports[0]
    }
}
