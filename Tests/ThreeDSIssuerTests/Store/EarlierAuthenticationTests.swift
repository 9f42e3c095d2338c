import Cryptography
import Foundation
import Sealing
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions
import VerifierWorld

@testable import ThreeDSIssuer

/// Contents as version 3 wrote them, with shorter documents and responses.
private enum EarlierContent: CaseIterable {
    case decidedInApp, waitingInBrowser, waitingDecoupled, exempted, refused

    var text: String {
        switch self {
        case .decidedInApp:
            #"""
            {"version":"2.2.0","channel":"01","category":"01","server":"server-1","sdk":"sdk-1",\#
            "isDecoupled":false,"ways":6,"directory":"A000000003","card":"card-1","requestDigest":\#
            "3OiV9HZgsx7SKcHbCDq9XlUcFpLODEpYh8RNJzMXHBA=","response":"{}","purchase":{"card":\#
            "dg2l7dNRz/+K44SlElIlJiwqN0NWMyuYm7aVye7UiWs=","acquirerBIN":"271829",\#
            "acquirerMerchantID":"0004445001","merchantName":"CoffeeHouse2 (Dæmø)","amount":\#
            {"units":4711,"currency":"EUR"},"purchaseDate":"20261122180511"},"basis":\#
            {"transaction":"transaction-1","way":"userPIN"},"valueKey":1,"isValueUsed":true,\#
            "challenge":{"progress":"AgACAQAAAQAAAaHuX4XAAAAAAAAAAAAAAAGh7lZeAA==",\#
            "account":"bank/main/4711","document":"{\"seconds\":120}","summary":"47.11 EUR",\#
            "transaction":"transaction-1","number":"07","openOrders":1,"isMuted":true,\#
            "hasShownPage":true,"app":{"channel":\#
            "AQIAAQABAAE9WrGhNsQAYjXE6W7ZQlH0rmoe5OPXf2k9Q7H53VDx3A==","lastResponse":"eyJ.."},\#
            "result":{"time":1795000000000,"status":"N","reason":"12"},\#
            "approvalEnd":1795000120000,"isLeftToWithdraw":true,"resultDue":1795000000001,\#
            "failedResults":3}}
            """#
        case .waitingInBrowser:
            #"""
            {"version":"2.3.1","channel":"02","category":"01","server":"server-1",\#
            "isDecoupled":false,"ways":2,"directory":"A000000003","card":"card-1","requestDigest":\#
            "PLIbfLJxhz24fpnwR4w9yS7wSQSOedrlkLNan7mJK7k=","isValueUsed":false,"challenge":\#
            {"progress":"AgEBAAAAAAAAAaHuX4XAAAAAAAAAAAAAAAGh7lZeAA==","account":\#
            "bank/main/4711","document":"{}","summary":"47.11 EUR",\#
            "isMuted":false,"hasShownPage":false,"browser":{"handle":"r7WEjy6OPcxvtdESaFQy1w",\#
            "notificationURL":"https://shop.example/done","amount":{"units":4711,"currency":\#
            "EUR"},"shop":"CoffeeHouse2 (Dæmø)","lastFour":"5556","request":\#
            "AnNCgV8u+mWaCLbi0/NW1XhEgs3/E0IX/WAjw7D40J4=","sessionData":"c2Vzc2lvbg"},\#
            "isLeftToWithdraw":false,"failedResults":0}}
            """#
        case .waitingDecoupled:
            #"""
            {"version":"2.2.0","channel":"03","category":"01","server":"server-1",\#
            "isDecoupled":true,"ways":6,"directory":"A000000003","card":"card-1","requestDigest":\#
            "AQ==","isValueUsed":false,"challenge":\#
            {"progress":"AgIBAAAAAAAAAaHuX4XAAAAAAAAAAAAAAAGh7lZeAA==","account":\#
            "bank/main/4711","document":"{}","summary":"47.11 EUR","openOrders":2,\#
            "isMuted":false,"hasShownPage":false,"isLeftToWithdraw":false,"failedResults":0}}
            """#
        case .exempted:
            #"""
            {"version":"2.2.0","channel":"02","category":"01","server":"server-1",\#
            "isDecoupled":false,"ways":6,"directory":"A000000003","card":"card-1","requestDigest":\#
            "+TR39W6mSFx1hDfntl5VBZXueSIhg9987z21lwxmhwk=","purchase":{"card":\#
            "dg2l7dNRz/+K44SlElIlJiwqN0NWMyuYm7aVye7UiWs="},"basis":{},"valueKey":1,\#
            "isValueUsed":false}
            """#
        case .refused:
            #"""
            {"version":"2.2.0","channel":"03","category":"02","server":"server-1",\#
            "isDecoupled":true,"ways":6,"directory":"A000000003","requestDigest":"AQ==",\#
            "isValueUsed":false}
            """#
        }
    }

    func authentication() throws -> Authentication {
        let content: EarlierAuthentication = try StrictJSON.decode(
            from: Array(text.utf8),
            limits: StrictJSON.Limits(byteCount: 10_000, depth: 8, valueCount: 200)
        )
        let made = try #require(Timestamp(milliseconds: 1_795_000_000_000))
        let authentication = content.authentication(
            id: "authentication-\(self)",
            directoryID: "directory-\(self)",
            made: made
        )
        return try #require(authentication)
    }
}

@Suite struct `The content of an authentication` {
    @Test(arguments: EarlierContent.allCases)
    fileprivate func `is the same in both forms`(_ content: EarlierContent) throws {
        let earlier = try content.authentication()
        let read = try Authentication(
            encoded: earlier.encoded,
            id: earlier.id,
            directoryID: #require(earlier.facts.ids.directory),
            made: earlier.made
        )
        #expect(description(try #require(read)) == description(earlier))
    }

    /// A released form never changes, because stores contain it.
    @Test(arguments: [
        (
            EarlierContent.decidedInApp,
            "fc101bc3027f1d5d9b23c6990fb6b576b8bd6a00a67885a52fd5b13dd0afb099"
        ),
        (
            .waitingInBrowser,
            "d11fa3003c23a22458ccda3f66819cc11339b20a66e43ebd162a20d28a638dc0"
        ),
        (
            .waitingDecoupled,
            "08e97a792dac22513bc2bbf64e1bea048c3d8619286158ce95d34f639ec23feb"
        ),
        (.exempted, "a5624761bd038528fec53e3d4744e84a5aba5c90fb5dbb8ee28629a6367f4bd1"),
        (.refused, "1115361000c51aabb2d8791bce0b52129743e3850f5fc00731e4eb2316671a09"),
    ])
    fileprivate func `has these bytes`(_ content: EarlierContent, _ digest: String) throws {
        let bytes = try content.authentication().encoded
        let found = try HashAlgorithm.sha256.digest(of: bytes.span).array
        #expect(found.map { String(format: "%02x", $0) }.joined() == digest)
    }

    @Test func `has one open order if an earlier version did not count`() throws {
        #expect(try EarlierContent.waitingInBrowser.authentication().challenge?.openOrders == 1)
    }

    @Test(arguments: EarlierContent.allCases)
    fileprivate func `is refused if it is cut, longer or changed`(
        _ content: EarlierContent
    ) throws {
        let bytes = try content.authentication().encoded
        func read(_ bytes: [UInt8]) throws(FieldReader.Failure) -> Authentication? {
            try Authentication(encoded: bytes, id: "1", directoryID: "2", made: .earliest)
        }
        for count in bytes.indices {
            #expect(throws: FieldReader.Failure.self) { try read(Array(bytes.prefix(count))) }
        }
        #expect(throws: FieldReader.Failure.self) { try read(bytes + [0]) }
        var other = bytes
        other[0] = UInt8(ascii: "{")
        #expect(try read(other) == nil)
    }
}

@Suite(.onEveryStore) struct `A store of an ACS of version 3` {
    @Test func `keeps its authentications with their AReses`() async throws {
        let earlier = Array(IssuerSchema.migrations.prefix(3))
        let place = try TestStore(.current, migrations: earlier)
        let old = try place.open(migrations: earlier)
        let key = KeyEncryptionKeys.Key(version: 1, bytes: try SecureBytes.random(count: 32))
        let keys = KeyRing(try #require(key.flatMap { KeyEncryptionKeys([$0]) }))
        try await IssuerStore.complete(old, under: keys)
        let seal = RowSeal(keys: keys)
        for content in EarlierContent.allCases {
            try await insert(content, into: old, seal)
        }
        await old.close()

        let database = try place.open(migrations: IssuerSchema.migrations)
        let store = try await IssuerStore(database, under: keys)
        for content in EarlierContent.allCases {
            let expected = try content.authentication()
            try await database.write { connection throws(StoreFailure) in
                let table = store.authentications(connection)
                guard let found = try table.authentication(expected.id) else { throw .misuse }
                #expect(description(found) == description(expected))
                var apart = found
                apart.response = nil
                #expect(try table.response(of: apart).bytes == Array("ARes of \(content)".utf8))
                // From the next change on, it has the form of this version.
                try table.replace(found)
                let changed = try table.authentication(expected.id)
                #expect(changed.map(description) == description(expected))
            }
        }
        let audit = try await store.audit(at: .earliest)
        #expect(audit.forged.count == 0 && audit.rows >= 2 * EarlierContent.allCases.count)
        await database.close()
    }

    private func insert(
        _ content: EarlierContent,
        into database: any Database,
        _ seal: RowSeal
    ) async throws {
        let authentication = try content.authentication()
        let columns = AuthenticationTable.boundColumns
        let bound = try seal.values(of: authentication)[columns]
        let sealed = try seal.sealed(
            Array(content.text.utf8).span,
            for: .authentication(authentication.id, bound)
        )
        let response = try seal.sealed(
            Array("ARes of \(content)".utf8).span,
            for: .response(authentication.id)
        )
        let values = [.text(authentication.id)] + bound + [sealed, response]
        try await database.write { connection throws(StoreFailure) in
            _ = try connection.run(
                Statement(
                    """
                    INSERT INTO authentications (id, directory_id, made, page, awaited, due, \
                    result_due, live, call_due, sealed, sealed_response) \
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                    """
                ),
                values
            )
        }
    }
}

/// All values, also private ones.
private func description(_ authentication: Authentication) -> String {
    var text = ""
    dump(authentication, to: &text)
    return text
}
