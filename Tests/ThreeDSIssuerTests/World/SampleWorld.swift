import Cryptography
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// A card, its directory and the identifiers that the ACS gives.
enum SampleWorld {
    static let acsTransID = "2f37539c-d82e-4929-88db-2f9e72c7fa62"

    static func card(isBlocked: Bool = false) throws -> Card {
        let digest = try HashAlgorithm.sha256.digest(of: Array("card".utf8).span)
        let reference = try #require(CardReference("card-1"))
        let account = try #require(CardAccount("bank/main/4711"))
        return try #require(
            Card(
                reference: reference,
                digest: digest,
                lastFour: "5556",
                account: account,
                isBlocked: isBlocked
            )
        )
    }

    static func directory(_ start: String = "2.1.0", _ end: String = "2.3.1") throws
        -> CardDirectory
    {
        let id = try #require(DirectoryID("A000000003"))
        let range = try #require(CardRange(from: "4000050000000000", to: "4000059999999999"))
        return try #require(
            CardDirectory(id, ranges: [range], versionsFrom: start, to: end)
        )
    }

    static func authentication(
        of request: Message,
        _ decision: RequestDecision = .challenge,
        by settings: IssuerSettings = IssuerSettings()
    ) throws -> CardAuthentication {
        let facts = try #require(RequestFacts(request, by: settings))
        return try #require(
            CardAuthentication(
                of: request,
                acsTransID: acsTransID,
                decision,
                ways: settings.ways(for: facts)
            )
        )
    }

    static func key(_ number: UInt8 = 1) throws -> AuthenticationValue.Key {
        try AuthenticationValue.Key(number: number, SecureBytes(copying: Array(0..<32).span))
    }

    static func euro(_ minorUnits: UInt64) throws -> Amount {
        let currency = try #require(Currency("EUR"))
        return try #require(Amount(minorUnits: minorUnits, currency: currency))
    }
}
