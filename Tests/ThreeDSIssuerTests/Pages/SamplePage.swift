import Foundation
import Localization
import TestSupport
import Testing
import ThreeDSIssuer
import ThreeDSProtocol
import Transactions

/// Pages with values that a test can look for.
enum SamplePage {
    static let nonce = "bm9uY2Ugb2YgMTYgYnl0ZQ"
    static let handle = "aGFuZGxlLW9mLTE2LWJ5dA"
    static let token = "token+of/the=handle"

    static func context(
        _ language: Language = .english,
        isSandbox: Bool = false
    ) throws -> PageContext {
        let nonce = try #require(PageNonce(nonce))
        return PageContext(language: language, nonce: nonce, isSandbox: isSandbox)
    }

    static func waiting(
        cents: UInt64? = 4711,
        shop: String = "CoffeeHouse2 (Dæmø)",
        secondsLeft: Int = 272
    ) throws -> WaitingPage {
        WaitingPage(
            try #require(PageHandle(handle)),
            token: token,
            amount: try cents.map { try SampleWorld.euro($0) },
            shop: try DisplayText(shop),
            lastFour: "4242",
            secondsLeft: secondsLeft
        )
    }

    static func result(
        _ message: String = #"{"messageType":"CRes"}"#,
        sessionData: String? = nil
    ) throws -> ResultPage {
        let address = WebAddress("https://shop.example/done?a=1&b=2", isSandbox: false)
        let form = ChallengeForm(message: Array(message.utf8), sessionData: sessionData)
        return ResultPage(form, to: try #require(address))
    }

    /// One page of each kind.
    static func all(in context: PageContext) throws -> [BrowserPage] {
        let notices: [NoticePage] = [
            .malformedRequest, .unknownHandle, .unavailable(pageOf: nil),
            .unavailable(pageOf: PageHandle(handle)),
        ]
        return [try waiting().page(in: context), try result().page(in: context)]
            + notices.map { $0.page(in: context) }
    }
}

extension BrowserPage {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The content of an element that the page has once.
    func content(of element: String) throws -> String {
        let parts = text.split(separator: "<\(element)", omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let end = try #require(parts[1].firstRange(of: "</\(element)>"))
        let start = try #require(parts[1].firstIndex(of: ">"))
        return String(parts[1][parts[1].index(after: start)..<end.lowerBound])
    }

    subscript(field: String) -> String? {
        fields.first { $0.name == field }?.value
    }
}

/// Pages as Python's parser reads them.
struct ReadPages: Decodable {
    /// Every different page without the text of the place.
    let shapes: [Shape]
    let texts: [String]

    /// Parts of a page, whose form is that of the reader.
    struct Shape: Decodable {}

    init(_ pages: [BrowserPage], textOf place: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "page_reader.py").path
        let reader = try FinishedProcess.run(
            "python3",
            ["-B", path, place],
            input: Array(pages.map(\.body).joined(separator: [0]))
        )
        try #require(reader.exitCode == 0, "\(reader.errorOutput)")
        self = try JSONDecoder().decode(Self.self, from: Data(reader.output.utf8))
    }
}
