import Localization
import ThreeDSIssuer
import ThreeDSProtocol
import Transactions

/// A page with everything that it shows.
struct PageRequest: Decodable {
    let kind: String
    let language: String
    let nonce: String
    let handle: String?
    let token: String?
    /// In cents of a euro.
    let amount: UInt64?
    let shop: String?
    let seconds: Int?
    let number: String?
    let isMuted: Bool?
    let note: String?
    let state: String?
    let device: String?
    /// The JSON text of a CRes or an error.
    let message: String?
    let sessionData: String?
    let notificationURL: String?

    enum Malformed: Error {
        case request
    }

    var page: BrowserPage {
        get throws {
            let context = PageContext(
                language: Language(locale: language),
                nonce: try required(PageNonce(nonce)),
                isSandbox: true
            )
            return switch kind {
            case "waiting": try waitingPage.page(in: context)
            case "result": try resultPage.page(in: context)
            case "malformed": NoticePage.malformedRequest.page(in: context)
            case "unknown": NoticePage.unknownHandle.page(in: context)
            case "unavailable":
                NoticePage.unavailable(pageOf: handle.flatMap(PageHandle.init)).page(in: context)
            default: throw Malformed.request
            }
        }
    }

    private var waitingPage: WaitingPage {
        get throws {
            let euro = try required(Currency("EUR"))
            var page = WaitingPage(
                try required(handle.flatMap(PageHandle.init)),
                token: try required(token),
                amount: amount.flatMap { Amount(minorUnits: $0, currency: euro) },
                // As the ACS shows the texts of a shop.
                shop: try DisplayText(visible(try required(shop).normalized)),
                lastFour: "4242",
                secondsLeft: try required(seconds)
            )
            page.number = number
            page.isMuted = isMuted ?? false
            let name = note ?? "waiting"
            page.note = try required(WaitingPage.Note.allCases.first { "\($0)" == name })
            page.state = try required(PageState(rawValue: state ?? "pending"))
            page.device = device.flatMap { WebAddress($0, isSandbox: true) }
            return page
        }
    }

    private var resultPage: ResultPage {
        get throws {
            let form = ChallengeForm(
                message: Array(try required(message).utf8),
                sessionData: sessionData
            )
            let address = WebAddress(try required(notificationURL), isSandbox: true)
            return ResultPage(form, to: try required(address))
        }
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Malformed.request }
        return value
    }
}
