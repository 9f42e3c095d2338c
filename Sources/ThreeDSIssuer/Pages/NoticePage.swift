import Localization

/// A page of words, from which nothing is sent.
package enum NoticePage: Sendable {
    /// A form without a CReq that can be read names no address for an error.
    case malformedRequest
    /// A handle that never existed, or whose challenge has ended.
    case unknownHandle
    /// The link leads to the page of a handle; a frame has no other way to load it again.
    case unavailable(pageOf: PageHandle?)

    package func page(in context: PageContext) -> BrowserPage {
        let details = Markup.element(.paragraph, [.text(details.text(in: context.language))])
        return BrowserPage(
            status: status,
            .notice,
            title,
            [details] + link(in: context.language),
            in: context
        )
    }

    private var status: Int {
        switch self {
        case .malformedRequest: 400
        case .unknownHandle: 404
        case .unavailable: 503
        }
    }

    private var title: LocalizedText {
        switch self {
        case .malformedRequest: PageText.malformed
        case .unknownHandle: PageText.unknown
        case .unavailable: PageText.unavailable
        }
    }

    private var details: LocalizedText {
        switch self {
        case .malformedRequest: PageText.malformedDetails
        case .unknownHandle: PageText.unknownDetails
        case .unavailable: PageText.unavailableDetails
        }
    }

    private func link(in language: Language) -> [Markup] {
        guard case .unavailable(let handle?) = self else { return [] }
        let label = PageText.tryAgain.text(in: language)
        return [.element(.link, with: [.links(toPageOf: handle)], [.text(label)])]
    }
}
