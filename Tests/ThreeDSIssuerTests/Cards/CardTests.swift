import Cryptography
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `A card of the issuer` {
    @Test(arguments: ["bank/main/4711", "b/a.b/c_d-9"])
    func `belongs to an account that is written as one text`(_ text: String) {
        #expect(CardAccount(text)?.description == text)
    }

    @Test(arguments: [
        "", "bank", "bank/main", "bank/main/", "/main/4711", "bank//4711", "bank/main/4711/",
        "bank/main/47 11", "bank/main/..", "bank/mäin/4711", "bank/main/4711/5",
    ])
    func `has no account of another form`(_ text: String) {
        #expect(CardAccount(text) == nil)
    }

    @Test func `SEC-72: is known by a keyed hash and four digits, and by no number`() throws {
        let digits = Array(SampleRequest.number.utf8)
        let number = try #require(try CardNumber(digits.span))
        let key = try CardFingerprint.Key(SecureBytes(copying: Array(0..<32).span))
        let fingerprint = try number.fingerprint(key)
        let card = Card(
            fingerprint,
            reference: try #require(CardReference("card-1")),
            account: try #require(CardAccount("bank/main/4711"))
        )
        #expect(card.digest == fingerprint.digest)
        #expect(card.lastFour == "5556")
        #expect(!card.isBlocked)
        var dumped = "\(card)"
        dump(card, to: &dumped)
        #expect(!dumped.contains("40000566"))
        // The row of the store gives the same card.
        let stored = Card(
            reference: card.reference,
            digest: card.digest,
            lastFour: card.lastFour,
            account: card.account,
            isBlocked: false
        )
        #expect(stored == card)
    }

    @Test(arguments: ["", "555", "55556", "555a", "５５５６"])
    func `is not restored with other than four digits`(_ digits: String) throws {
        let card = try SampleWorld.card()
        func restored(_ digits: String, _ digest: Digest) -> Card? {
            Card(
                reference: card.reference,
                digest: digest,
                lastFour: digits,
                account: card.account,
                isBlocked: false
            )
        }
        #expect(restored("5556", card.digest) == card)
        #expect(restored(digits, card.digest) == nil)
        let bytes = Array(card.digest.array.dropLast())
        let short = Digest(copying: bytes.span)
        #expect(restored("5556", short) == nil)
    }

    @Test func `is found only below the directory that has its range`() throws {
        let directory = try SampleWorld.directory()
        func lookup(_ digits: String, _ record: Card?) throws -> CardLookup {
            let number = try #require(try CardNumber(Array(digits.utf8).span))
            return CardLookup(of: number, in: directory, record: record)
        }
        let (card, blocked) = (try SampleWorld.card(), try SampleWorld.card(isBlocked: true))
        #expect(try lookup(SampleRequest.number, card) == .active(card))
        #expect(try lookup(SampleRequest.number, blocked) == .blocked)
        #expect(try lookup(SampleRequest.number, nil) == .noRecord)
        for record in [card, blocked, nil] {
            #expect(try lookup("4242424242424242", record) == .outsideRanges)
        }
    }
}
