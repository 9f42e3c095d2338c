import BankIntegration
import Cryptography
import ServerOperation
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification

@testable import VerifierServer

@Suite struct `The metrics` {
    private let metrics = Metrics()

    @Test func `are readable by the Prometheus library`() throws {
        let id = try RequestID.random()
        func report(_ outcome: String, after duration: Duration) -> RequestReport {
            RequestReport(
                id: id,
                api: .device,
                route: "/device/v1/decision",
                outcome: outcome,
                status: 200,
                duration: duration
            )
        }
        metrics.count(report("done", after: .microseconds(700)))
        metrics.count(report("done", after: .milliseconds(30)))
        metrics.count(report("authenticationFailed", after: .seconds(60)))
        metrics.count([.credentialLocked])
        metrics.count(.store(.full))
        metrics.count(.delivered, to: .webhook, age: .seconds(7))
        metrics.count(.failed(.refused(status: 500)), to: .webhook)
        metrics.countDropped(to: .push)
        let waiting = MetricsText.Reading(
            "countersign_deliveries",
            "Deliveries that are not done.",
            by: "state",
            [("waiting", 3), ("dead", 0)]
        )
        let wrongCodes = MetricsText.Reading(
            "countersign_wrong_activation_codes_total",
            as: .counter,
            "Wrong activation codes.",
            by: "activation",
            [("open", 2)]
        )
        #expect(
            try samples(of: metrics.text(with: [waiting, wrongCodes])) == [
                "countersign_client_certificates_refused_total 0.0",
                "countersign_connections_refused_total endpoint=bank limit=connections 0.0",
                "countersign_connections_refused_total endpoint=bank limit=connectionsPerAddress 0.0",
                "countersign_connections_refused_total endpoint=operation limit=connections 0.0",
                "countersign_connections_refused_total endpoint=operation limit=connectionsPerAddress 0.0",
                "countersign_connections_refused_total endpoint=server limit=connections 0.0",
                "countersign_connections_refused_total endpoint=server limit=connectionsPerAddress 0.0",
                "countersign_deliveries state=dead 0.0",
                "countersign_deliveries state=waiting 3.0",
                "countersign_delivery_age_seconds_bucket le=+Inf target=webhook 1.0",
                "countersign_delivery_age_seconds_bucket le=0.05 target=webhook 0.0",
                "countersign_delivery_age_seconds_bucket le=10 target=webhook 1.0",
                "countersign_delivery_age_seconds_count target=webhook 1.0",
                "countersign_delivery_age_seconds_sum target=webhook 7.0",
                "countersign_delivery_attempts_total outcome=delivered target=webhook 1.0",
                "countersign_delivery_attempts_total outcome=dropped target=push 1.0",
                "countersign_delivery_attempts_total outcome=refused target=webhook 1.0",
                "countersign_events_total event=credential.locked 1.0",
                "countersign_failures_total failure=store.busy 0.0",
                "countersign_failures_total failure=store.full 1.0",
                "countersign_failures_total failure=store.unavailable 0.0",
                "countersign_failures_total failure=store.uncertain 0.0",
                "countersign_log_lines_dropped_total 0.0",
                "countersign_request_seconds_bucket api=device le=+Inf route=/device/v1/decision 3.0",
                "countersign_request_seconds_bucket api=device le=0.0005 route=/device/v1/decision 0.0",
                "countersign_request_seconds_bucket api=device le=0.001 route=/device/v1/decision 1.0",
                "countersign_request_seconds_bucket api=device le=0.05 route=/device/v1/decision 2.0",
                "countersign_request_seconds_bucket api=device le=10 route=/device/v1/decision 2.0",
                "countersign_request_seconds_count api=device route=/device/v1/decision 3.0",
                "countersign_request_seconds_sum api=device route=/device/v1/decision 60.0307",
                "countersign_requests_total api=device outcome=authenticationFailed "
                    + "route=/device/v1/decision 1.0",
                "countersign_requests_total api=device outcome=done route=/device/v1/decision 2.0",
                "countersign_wrong_activation_codes_total activation=open 2.0",
            ]
        )
    }

    @Test func `escape label values`() throws {
        let strange = MetricsText.Reading("g", "h", by: "l", [("a\"b\\c\nd", 1)])
        let samples = try samples(of: metrics.text(with: [strange]))
        #expect(samples.contains(#"g l=a"b\c\nd 1.0"#))
    }

    /// In order, as python3-prometheus-client reads them, with some buckets only.
    private func samples(of text: String) throws -> [String] {
        let steps: Set = ["0.0005", "0.001", "0.05", "10", "+Inf"]
        let process = try FinishedProcess.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sys
                from prometheus_client.parser import text_string_to_metric_families

                for family in text_string_to_metric_families(sys.stdin.read()):
                    assert family.documentation and family.type != "unknown", family

                    for name, labels, value, *_ in family.samples:
                        if labels.get("le", "10") not in \(steps.sorted()): continue
                        pairs = [f"{k}={v}" for k, v in sorted(labels.items())]
                        print(" ".join([name, *pairs, str(value)]).replace("\\n", "\\\\n"))
                """,
            ],
            input: Array(text.utf8)
        )
        #expect(process.exitCode == 0, "\(process.errorOutput)")
        return process.output.split(separator: "\n").map(String.init).sorted()
    }
}
