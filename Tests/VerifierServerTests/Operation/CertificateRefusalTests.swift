import HTTPServer
import ServerOperation
import TestSupport
import Testing

@testable import VerifierServer

@Suite struct `Refused client certificates` {
    @Test func `have at most one line in a minute, with the number since the last line`() throws {
        let (metrics, pipe) = (Metrics(), try TestPipe())
        let log = Log(to: pipe.writing.number, metrics: metrics)
        let refusals = CertificateRefusals(metrics: metrics, log: log)
        let start = ContinuousClock.now
        for second in 0..<150 {
            for client in 0..<10 {
                refusals.note(
                    CertificateRefusal(reason: "no certificate", address: "192.0.2.\(client)"),
                    at: start + .seconds(second)
                )
            }
        }
        let lines = pipe.read().split(separator: "\n")
        let ends = lines.map { $0.split(separator: #""message""#).last.map(String.init) }
        let beginning = #":"client certificate refused","reason":"no certificate","client":"#
        #expect(
            ends == [
                beginning + #""192.0.2.0","count":1}"#, beginning + #""192.0.2.0","count":600}"#,
                beginning + #""192.0.2.0","count":600}"#,
            ]
        )
        let total = "countersign_client_certificates_refused_total 1500\n"
        #expect(metrics.text(with: []).contains(total))
    }
}
