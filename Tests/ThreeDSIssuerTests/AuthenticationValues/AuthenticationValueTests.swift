import Cryptography
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `An authentication value` {
    private func value(
        _ purchase: AuthenticatedPurchase,
        by basis: AuthenticationBasis = .sample,
        _ key: UInt8 = 1
    ) throws -> AuthenticationValue {
        try AuthenticationValue(of: purchase, by: basis, under: SampleWorld.key(key))
    }

    /// Python's `hmac` as the second opinion, from the elements of the AReq.
    @Test(
        arguments: [
            (.approval(AuthenticationBasis.transaction, by: .userPIN), 1),
            (.approval(AuthenticationBasis.transaction, by: .biometric), 1),
            (.approval(AuthenticationBasis.transaction, by: .consent), 2), (.exemption, 3),
        ] as [(AuthenticationBasis, Int)]
    )
    func `SEC-77: is half of an HMAC over everything that was authenticated`(
        basis: AuthenticationBasis,
        status: Int
    ) throws {
        let changes = ["merchantName": #""Cafe\#u{301}  2""#]
        let purchase = try AuthenticatedPurchase.sample(changes)
        let program = """
            import base64, hashlib, hmac, struct, sys
            status = int(sys.argv[1])
            fields = [
                b"countersign authentication value",
                hashlib.sha256(b"card").digest(),
                b"2f37539c-d82e-4929-88db-2f9e72c7fa62",
                b"4317fdc3-ad24-5443-8000-000000000891",
                b"271829", b"0004445001", "Cafe\\u0301  2".encode(),
                b"4711", b"EUR", b"2", b"20261122180511", bytes([status]),
                b"01a20749c1a86df0d735a8cd4d6fc2f3" if status < 3 else b"",
            ]
            message = b"".join(struct.pack(">I", len(field)) + field for field in fields)
            mac = hmac.new(bytes(range(32)), message, "sha256").digest()
            print(base64.b64encode(bytes([1, 7, status, 0]) + mac[:16]).decode())
            """
        let python = try FinishedProcess.run("python3", ["-c", program, "\(status)"])
        let text = try value(purchase, by: basis, 7).text
        #expect(python.output == text + "\n")
        #expect(text.utf8.count == 28)
        #expect(try TextEncoding.base64.decode(text).count == 20)
    }

    @Test func `differs if anything of the purchase differs`() throws {
        let purchase = try AuthenticatedPurchase.sample()
        var others: [AuthenticatedPurchase] = []
        for (element, text) in [
            ("dsTransID", "4317fdc3-ad24-5443-8000-000000000892"), ("acquirerBIN", "271828"),
            ("acquirerMerchantID", "0004445002"), ("merchantName", "CoffeeHouse3"),
            ("purchaseAmount", "4712"), ("purchaseCurrency", "840"),
            ("purchaseDate", "20261122180512"),
        ] {
            others.append(try .sample([element: "\"\(text)\""]))
        }
        for path: WritableKeyPath<AuthenticatedPurchase, String?> in [
            \.acquirerBIN, \.acquirerMerchantID, \.merchantName, \.purchaseDate,
        ] {
            var other = purchase
            other[keyPath: path] = nil
            others.append(other)
        }
        var other = purchase
        other.amount = nil
        others.append(other)
        // A field does not continue in the next one.
        other = purchase
        other.acquirerBIN = "2718290"
        other.acquirerMerchantID = "004445001"
        others.append(other)
        for (card, acsTransID) in [
            (Digest(copying: [UInt8](repeating: 7, count: 32).span), purchase.acsTransID),
            (purchase.card, "2f37539c-d82e-4929-88db-2f9e72c7fa63"),
        ] {
            var other = AuthenticatedPurchase(
                card: card,
                acsTransID: acsTransID,
                dsTransID: purchase.dsTransID
            )
            other.acquirerBIN = purchase.acquirerBIN
            other.acquirerMerchantID = purchase.acquirerMerchantID
            other.merchantName = purchase.merchantName
            other.amount = purchase.amount
            other.purchaseDate = purchase.purchaseDate
            others.append(other)
        }
        var texts = try ([purchase] + others).map { try value($0).text }
        for basis: AuthenticationBasis in [
            .approval(TransactionID(checked: "01a20749c1a86df0d735a8cd4d6fc2f4"), by: .userPIN),
            .approval(AuthenticationBasis.transaction, by: .consent), .exemption,
        ] {
            texts.append(try value(purchase, by: basis).text)
        }
        #expect(texts.count == 19)
        #expect(Set(texts).count == texts.count)
    }

    @Test func `has the number of its key, and another key gives another value`() throws {
        let purchase = try AuthenticatedPurchase.sample()
        let (first, second) = (try value(purchase), try value(purchase, by: .sample, 2))
        #expect(first != second)
        #expect(try TextEncoding.base64.decode(second.text)[..<4] == [1, 2, 1, 0])
        let bytes = try SecureBytes(copying: Array(1..<33).span)
        let key = try AuthenticationValue.Key(number: 1, bytes)
        #expect(try AuthenticationValue(of: purchase, by: .sample, under: key) != first)
        for count in [0, 16, 31] {
            #expect(throws: CryptographyFailure.invalidArgument) {
                _ = try AuthenticationValue.Key(number: 1, SecureBytes.random(count: count))
            }
        }
    }

    @Test func `can be read from its text, and is not printed`() throws {
        let value = try AuthenticationValue.sample()
        #expect(AuthenticationValue(value.text) == value)
        for text in [
            "", String(value.text.dropLast()), value.text + "=", "!" + value.text.dropFirst(),
            String(repeating: "A", count: 28), String(repeating: "A", count: 26) + "==",
        ] {
            #expect(AuthenticationValue(text) == nil)
        }
        var dumped = "\(value)" + String(reflecting: value)
        dump(value, to: &dumped)
        #expect(!dumped.contains(value.text))
    }

    @Test func `of a confirmation covers no amount`() throws {
        let changes: [String: String?] = [
            "purchaseAmount": #""999""#, "purchaseCurrency": #""978""#,
            "purchaseExponent": #""2""#, "purchaseDate": #""20261122180511""#,
        ]
        let request = try SampleRequest(.twoTwo, .app, .nonPayment, changes).message()
        let purchase = try AuthenticatedPurchase(
            of: request,
            SampleWorld.authentication(of: request),
            card: SampleWorld.card()
        )
        #expect(try #require(purchase).amount == nil)
        #expect(purchase?.purchaseDate == "20261122180511")
    }

    @Test func `is not made for the AReq of another authentication`() throws {
        let request = try SampleRequest(.twoTwo, .app).message()
        let id = "4317fdc3-ad24-5443-8000-000000000892"
        let other = try SampleRequest(.twoTwo, .app, .payment, ["dsTransID": "\"\(id)\""]).message()
        let purchase = try AuthenticatedPurchase(
            of: other,
            SampleWorld.authentication(of: request),
            card: SampleWorld.card()
        )
        #expect(purchase == nil)
    }
}
