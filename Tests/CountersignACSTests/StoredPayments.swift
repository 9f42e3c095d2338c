import Cryptography
import JOSE
import PrivateFiles
import Sealing
import Storage
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

/// Payments in the store of an ACS, made by its service in this process.
final class StoredPayments: Sendable {
    /// Texts of a payment that no command may print.
    static let secrets = [
        "c2Vzc2lvbi1tYXJrZXI", "https://shop.example/done", "CoffeeHouse2", "4711.00", "471100",
        CardFolder.marker,
    ]

    private let bank = ModelBank()
    private let service: IssuerService
    private let database: any Database
    private let time: LockedValue<UInt64>
    private let isReachable = LockedValue(true)

    /// `start` is the first time of its clock, in milliseconds.
    convenience init(in folder: CardFolder, from start: UInt64 = 1_795_000_000_000) async throws {
        let database = try SQLiteDatabase(
            path: folder.acs.path("acs.db"),
            migrations: IssuerSchema.migrations
        )
        try await self.init(in: folder, database, from: start)
    }

    /// In the database of a PostgreSQL server.
    convenience init(in folder: CardFolder, over connection: String) async throws {
        let database = try PostgresDatabase(connection, migrations: IssuerSchema.migrations)
        try await self.init(in: folder, database, from: 1_795_000_000_000)
    }

    private init(
        in folder: CardFolder,
        _ database: any Database,
        from start: UInt64
    ) async throws {
        self.database = database
        time = LockedValue(start)
        let path = folder.acs.path("encryption")
        let keys = try KeyFile.encryptionKeys(in: .file(path))
        let store = try await IssuerStore(database, under: KeyRing(keys, readFrom: path))
        let (time, isReachable) = (time, isReachable)
        let directory = try ServedDirectory(
            Self.directory(),
            signer: JWS.Signer(.es256(P256.PrivateKey())),
            clientKeys: []
        ) { request async throws(ServedDirectory.ResultFailure) in
            guard isReachable.withLock({ $0 }) else { throw .init("the connection failed") }
            return Self.acknowledgement(of: request)
        }
        service = IssuerService(
            store,
            asking: bank.client,
            for: [directory],
            at: ChallengeAddresses(origin: "https://acs.example", isSandbox: false),
            by: IssuerSettings(),
            clock: { Timestamp(milliseconds: time.withLock { $0 }) ?? .earliest }
        )
    }

    /// The program then has the file alone.
    func close() async { await database.close() }

    func advance(seconds: UInt64) { time.withLock { $0 += seconds * 1000 } }

    func set(isReachable: Bool) { self.isReachable.withLock { $0 = isReachable } }

    func approve(_ challenge: String) { bank.approve(challenge) }

    /// Follows the transactions, and sends the results that are due.
    func work() async throws {
        _ = try await service.followTransactions(waiting: 0)
        for result in try await service.takeResults() { await service.deliver(result) }
    }

    /// Sends an AReq; returns the acsTransID of the challenge.
    func begin(_ number: Int) async throws -> String {
        let directory = try #require(service.directories.values.first)
        let request = Self.request(number)
        let body = try #require(try await service.response(to: request, from: directory)).body
        let response = try JSONValue(reading: body, limits: .message)
        try #require(response["transStatus"]?.text == "C")
        return try #require(response["acsTransID"]?.text)
    }

    /// Posts the form of the shop, so that the person gets the request.
    func enter(_ challenge: String, _ number: Int) async throws {
        let creq = """
            {"messageType":"CReq","messageVersion":"2.2.0","challengeWindowSize":"02",\
            "threeDSServerTransID":"\(Self.id("8a880dc0", number))","acsTransID":"\(challenge)"}
            """
        let text = TextEncoding.base64URL.encode(Array(creq.utf8).span)
        let form = "creq=\(text)&threeDSSessionData=\(Self.secrets[0])"
        guard case .redirection = try await service.response(toForm: Array(form.utf8)) else {
            Issue.record("the form is refused")
            return
        }
    }

    /// A payment whose result the directory has, or has not.
    func decide(_ number: Int, isDelivered: Bool) async throws -> String {
        let challenge = try await begin(number)
        try await enter(challenge, number)
        approve(challenge)
        set(isReachable: isDelivered)
        try await work()
        return challenge
    }
}

extension StoredPayments {
    private static func directory() throws -> CardDirectory {
        let id = try #require(DirectoryID("A000000003"))
        let range = try #require(CardRange(from: "4000000000000000", to: "4000009999999999"))
        return try #require(
            CardDirectory(id, ranges: [range], versionsFrom: "2.1.0", to: "2.3.1")
        )
    }

    private static func id(_ start: String, _ number: Int) -> String {
        "\(start)-d2d2-4067-bcb1-" + String(String(1_000_000_000_000 + number).dropFirst())
    }

    private static func request(_ number: Int) -> [UInt8] {
        let text = """
            {"messageType":"AReq","messageVersion":"2.2.0","deviceChannel":"02",\
            "messageCategory":"01","acctNumber":"\(CardFolder.marker)",\
            "threeDSServerTransID":"\(id("8a880dc0", number))",\
            "dsTransID":"\(id("4317fdc3", number))",\
            "threeDSRequestorID":"requestor","threeDSRequestorName":"Coffee online",\
            "threeDSRequestorURL":"https://shop.example/","threeDSServerRefNumber":"ref",\
            "threeDSServerURL":"https://server.example/","dsURL":"https://ds.example/",\
            "dsReferenceNumber":"DS-REFERENCE","threeDSRequestorAuthenticationInd":"01",\
            "threeDSCompInd":"Y","browserAcceptHeader":"text/html",\
            "browserUserAgent":"Browser","browserIP":"192.0.2.1",\
            "browserJavascriptEnabled":true,"browserLanguage":"de-DE",\
            "notificationURL":"\(secrets[1])","browserColorDepth":"24",\
            "browserJavaEnabled":false,"browserScreenHeight":"1000",\
            "browserScreenWidth":"1000","browserTZ":"-60","purchaseAmount":"471100",\
            "purchaseCurrency":"978","purchaseExponent":"2","purchaseDate":"20261122180511",\
            "acquirerBIN":"271829","acquirerMerchantID":"0004445001","mcc":"5411",\
            "merchantCountryCode":"276","merchantName":"CoffeeHouse2"}
            """
        return Array(text.utf8)
    }

    private static func acknowledgement(of request: [UInt8]) -> [UInt8] {
        // The ACS writes JSON: `try?`.
        let message = try? JSONValue(reading: request, limits: .message)
        let names = ["messageVersion", "threeDSServerTransID", "dsTransID", "acsTransID"]
        let members = names.map { #""\#($0)":"\#(message?[$0]?.text ?? "")""# }
        let text = members.joined(separator: ",")
        return Array(#"{"messageType":"RRes","resultsStatus":"01",\#(text)}"#.utf8)
    }
}
