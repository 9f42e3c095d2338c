import Cryptography
import Testing
import Transactions

@testable import ThreeDSIssuer

/// Contents of rows that version 0.2.0 wrote, with shorter documents.
private enum StoredContent: CaseIterable {
    case decidedInApp, waitingInBrowser, waitingDecoupled, exempted, refused

    var bytes: [UInt8] {
        get throws { try TextEncoding.base64.decode(text) }
    }

    private var text: String {
        switch self {
        case .decidedInApp:
            """
            AQAAAAUyLjIuMAAAAAIwMQAAAAIwMQEAAAAIc2VydmVyLTEBAAAABXNkay0xAAYAAAAKQTAwMDAwMDAwMwEA\
            AAAGY2FyZC0xAAAAINzolfR2YLMe0inB2wg6vV5VHBaSzgxKWIfETSczFxwQAAEAAAAgdg2l7dNRz/+K44Sl\
            ElIlJiwqN0NWMyuYm7aVye7UiWsBAAAABjI3MTgyOQEAAAAKMDAwNDQ0NTAwMQEAAAAVQ29mZmVlSG91c2Uy\
            IChEw6Ztw7gpAQAAAAAAABJnAAAAA0VVUgEAAAAOMjAyNjExMjIxODA1MTEBAQAAAA10cmFuc2FjdGlvbi0x\
            AAAAB3VzZXJQSU4BAQEBAAAAHwIAAgEAAAEAAAGh7l+FwAAAAAAAAAAAAAABoe5WXgAAAAAOYmFuay9tYWlu\
            LzQ3MTEAAAAPeyJzZWNvbmRzIjoxMjB9AAAACTQ3LjExIEVVUgEAAAANdHJhbnNhY3Rpb24tMQEAAAACMDcA\
            AAAAAAAAAQEAAAGh7lgywAEBAQAAACgBAgABAAEAAT1asaE2xABiNcTpbtlCUfSuah7k49d/aT1DsfndUPHc\
            AQAAAAVleUouLgEAAAGh7lZeAAAAAAFOAQAAAAIxMgEBAAABoe5WXgEAAAAAAAAAAw==
            """
        case .waitingInBrowser:
            """
            AQAAAAUyLjMuMQAAAAIwMgAAAAIwMQEAAAAIc2VydmVyLTEAAAIAAAAKQTAwMDAwMDAwMwEAAAAGY2FyZC0x\
            AAAAIDyyG3yycYc9uH6Z8EeMPcku8EkEjnna5ZCzWp+5iSu5AAAAAAABAAAAHwIBAQAAAAAAAAGh7l+FwAAA\
            AAAAAAAAAAABoe5WXgAAAAAOYmFuay9tYWluLzQ3MTEAAAACe30AAAAJNDcuMTEgRVVSAAAAAAAAAAABAAAA\
            AgAAABZyN1dFank2T1BjeHZ0ZEVTYUZReTF3AAAAGWh0dHBzOi8vc2hvcC5leGFtcGxlL2RvbmUBAAAAAAAA\
            EmcAAAADRVVSAAAAFUNvZmZlZUhvdXNlMiAoRMOmbcO4KQAAAAQ1NTU2AQAAACACc0KBXy76ZZoItuLT81bV\
            eESCzf8TQhf9YCPDsPjQngEAAAAKYzJWemMybHZiZwAAAAAAAAAAAAAA
            """
        case .waitingDecoupled:
            """
            AQAAAAUyLjIuMAAAAAIwMwAAAAIwMQEAAAAIc2VydmVyLTEAAQYAAAAKQTAwMDAwMDAwMwEAAAAGY2FyZC0x\
            AAAAAQEAAAAAAAEAAAAfAgIBAAAAAAAAAaHuX4XAAAAAAAAAAAAAAAGh7lZeAAAAAA5iYW5rL21haW4vNDcx\
            MQAAAAJ7fQAAAAk0Ny4xMSBFVVIAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAA=
            """
        case .exempted:
            """
            AQAAAAUyLjIuMAAAAAIwMgAAAAIwMQEAAAAIc2VydmVyLTEAAAYAAAAKQTAwMDAwMDAwMwEAAAAGY2FyZC0x\
            AAAAIPk0d/VupkhcdYQ357ZeVQWV7nkiIYPffO89tZcMZocJAAEAAAAgdg2l7dNRz/+K44SlElIlJiwqN0NW\
            MyuYm7aVye7UiWsAAAAAAAEAAQEAAA==
            """
        case .refused:
            """
            AQAAAAUyLjIuMAAAAAIwMwAAAAIwMgEAAAAIc2VydmVyLTEAAQYAAAAKQTAwMDAwMDAwMwAAAAABAQAAAAAA\
            AA==
            """
        }
    }
}

@Suite struct `The content of an authentication` {
    private func read(_ bytes: [UInt8]) throws -> Authentication {
        try Authentication(encoded: bytes, id: "1", directoryID: "2", made: .earliest)
    }

    /// A released form never changes, because stores contain it.
    @Test(arguments: StoredContent.allCases)
    fileprivate func `is read and written as before`(_ content: StoredContent) throws {
        let found = try read(content.bytes)
        #expect(try found.encoded == content.bytes)
        #expect(found.directory == DirectoryID("A000000003"))
        let challenge = found.challenge
        switch content {
        case .decidedInApp:
            #expect(challenge?.result?.reason == "12" && challenge?.failedResults == 3)
            #expect(found.basis == .approval(TransactionID(checked: "transaction-1"), by: .userPIN))
        case .waitingInBrowser:
            guard case .browser(let session)? = challenge?.party else {
                Issue.record("it is not the one of a browser")
                return
            }
            #expect(session.lastFour == "5556" && challenge?.openOrders == 1)
        case .waitingDecoupled: #expect(challenge?.openOrders == 2 && found.facts.isDecoupled)
        case .exempted: #expect(challenge == nil && found.valueKey == 1)
        case .refused: #expect(challenge == nil && found.card == nil)
        }
    }

    @Test(arguments: StoredContent.allCases)
    fileprivate func `is refused if it is cut, longer or changed`(
        _ content: StoredContent
    ) throws {
        let bytes = try content.bytes
        for count in bytes.indices {
            #expect(throws: FieldReader.Failure.self) { try read(Array(bytes.prefix(count))) }
        }
        #expect(throws: FieldReader.Failure.self) { try read(bytes + [0]) }
        var other = bytes
        other[0] = UInt8(ascii: "{")
        #expect(throws: FieldReader.Failure.self) { try read(other) }
    }
}
