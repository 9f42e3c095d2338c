import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval

// Each test runs in its own process and searches its memory afterwards.
@Suite(.needsPlainMemory) struct `SEC-26: no copy is left in ordinary memory` {
    init() {
        bindSymbolsAtOnce()
    }

    @Test func `of an activation code that was typed and used`() async {
        await #expect(processExitsWith: .success) {
            let code = try ActivationCode.random()
            let text = try code.text()
            let secret = try SecureBytes(writing: 18) { output in
                text.withBytes { text in
                    for index in output.indices { output[index] = text[index + index / 5] }
                }
            }
            let exchange = try ActivationExchange()
            let typed = try text.withBytes { text throws(ActivationCode.Failure) in
                try ActivationCode(typed: text)
            }
            // At once: a later allocation may hide what was left.
            #expect(try secret.withBytes(remnants) == 0)
            _ = try ActivationSession(
                exchange.claim,
                ephemeral: exchange.ephemeral,
                server: exchange.server.publicKey,
                code: typed
            )
            #expect(try secret.withBytes(remnants) == 0)
            #expect(try code.characters().count == 20, "it still lived")
        }
    }

    @Test func `of an activation code that came in a QR text`() async {
        await #expect(processExitsWith: .success) {
            let code = try ActivationCode.random()
            let spelling = try code.text()
            let exchange = try ActivationExchange()
            let uri = ActivationURI(
                server: try #require(ServerOrigin("https://approve.bank.example")),
                serverKey: exchange.claim.serverKey,
                activation: exchange.claim.activation,
                code: code
            )
            let text = try uri.text()
            let read = try required(
                try text.withBytes { text throws(SystemFailure) in
                    try ActivationURI.read(text)
                }
            )
            #expect(try spelling.withBytes(remnants) == 0)
            #expect(try read.text().count == text.count, "it still lived")
        }
    }

    @Test func `of a seed that was sealed, opened and used`() async {
        await #expect(processExitsWith: .success) {
            let exchange = try ActivationExchange()
            let seeds = AccountSeeds(user: try .random(), device: try .random())
            let session = try exchange.deviceSession().offering(exchange.offer)
            let enrolments = try exchange.offer.enrolments.indices.map {
                try session.enrol(
                    exchange.offer.enrolments[$0],
                    on: exchange.devices[$0],
                    seeds,
                    nonce: try .random()
                )
            }
            let submitted = try exchange.submittedClaim()
            let commit = try #require(ActivationCommit(submitted, enrolments))
            let opened = try exchange.serverSession(submitted).offering(exchange.offer)
                .seeds(at: 0, of: commit)
            let codes = try InBandCodes(of: .sample(), seed: opened.user)
            _ = try codes.code(for: .pinCheck, in: Epoch(0), at: Counter(0))
            #expect(try opened.user.withBytes(remnants) == 0)
            #expect(seeds.user.array == opened.user.array, "both still lived")
        }
    }
}

private func remnants(of secret: Span<UInt8>) throws -> Int {
    try secret.withUnsafeBytes { try remnantsOutsideSecureHeap(of: $0) }
}
