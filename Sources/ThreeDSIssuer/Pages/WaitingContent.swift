import Localization
import Transactions

/// The parts of the challenge page below its heading.
struct WaitingContent {
    let page: WaitingPage
    let language: Language

    var parts: [Markup] {
        introduction + [.element(.list, rows), status]
            + (page.state == .expired ? [] : deviceLink) + forms
    }

    private var forms: [Markup] {
        let cancel = page.amount == nil ? PageText.cancel : PageText.cancelPayment
        if page.state == .expired {
            return [
                form(.again, IssuerText.askAgain, [.look(.primary)]), form(.cancel, cancel),
            ]
        }
        return [
            form(.continue, IssuerText.approved, [.look(.primary)]),
            form(.again, IssuerText.askAgain),
            form(.cancel, cancel),
        ]
    }

    private var introduction: [Markup] {
        let texts = page.isMuted ? [IssuerText.muted, PageText.compare] : [PageText.compare]
        return texts.map { .element(.paragraph, [text($0)]) }
    }

    private var rows: [Markup] {
        let purchase =
            page.amount.map { row(PageText.amount, .text($0.formatted)) }
            ?? row(PageText.purpose, text(IssuerText.confirmation))
        let shop = row(IssuerText.shop, .element(.isolate, [.text(page.shop.text)]))
        let card = row(IssuerText.card, text(IssuerText.ending(page.lastFour)))
        let number = page.number.map { row(PageText.number, .text($0), [.look(.number)]) } ?? []
        let later = (page.laterPayments?.lines ?? []).flatMap { row($0.label, text($0.value)) }
        return purchase + shop + later + card + row(PageText.timeLeft, timeLeft) + number
    }

    private func row(
        _ label: LocalizedText,
        _ value: Markup,
        _ attributes: [Attribute] = []
    ) -> [Markup] {
        [.element(.term, [text(label)]), .element(.details, with: attributes, [value])]
    }

    /// Minutes and seconds, which the script counts down.
    private var timeLeft: Markup {
        let (minutes, seconds) = page.secondsLeft.quotientAndRemainder(dividingBy: 60)
        let shown = "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
        return .element(.time, with: [.duration(seconds: page.secondsLeft)], [.text(shown)])
    }

    private var status: Markup {
        .element(
            .paragraph,
            with: [
                .status, .polite, .state(page.state),
                .offlineText(PageText.offline.text(in: language)),
            ],
            [text(page.state == .expired ? IssuerText.expired : page.note.text)]
        )
    }

    private var deviceLink: [Markup] {
        page.device.map { device in
            let attributes: [Attribute] = [.links(to: device), .opensTab, .hasNoOpener]
            return [.element(.link, with: attributes, [text(PageText.approveHere)])]
        } ?? []
    }

    private func form(
        _ action: PageAction,
        _ label: LocalizedText,
        _ attributes: [Attribute] = []
    ) -> Markup {
        .element(
            .form,
            with: [.posts, .sends(action, of: page.handle)],
            [
                .void(.input, [.hidden, .name("token"), .value(page.token)]),
                .element(.button, with: attributes, [text(label)]),
            ]
        )
    }

    private func text(_ text: LocalizedText) -> Markup { .text(text.text(in: language)) }
}

extension WaitingPage.Note {
    var text: LocalizedText {
        switch self {
        case .waiting: PageText.waiting
        case .notRequested: IssuerText.notRequested
        case .notYet: IssuerText.notYet
        case .askedAgain: IssuerText.askedAgain
        case .askedTooSoon: IssuerText.askedTooSoon
        case .notAskedAgain: IssuerText.notAskedAgain
        }
    }
}
