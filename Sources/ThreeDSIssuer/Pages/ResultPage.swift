import Localization
package import ThreeDSProtocol

/// A page by which the browser brings fields to the 3DS server.
///
/// The script sends the form at once; without scripts, the person presses its button.
package struct ResultPage: Sendable {
    private let fields: [(name: String, value: String)]
    private let notificationURL: WebAddress
    /// Whether the challenge ended because the time for it was over.
    package var isTimedOut = false

    /// The last page of a challenge; its form has an error under the name of a CRes, too.
    package init(_ form: ChallengeForm, to notificationURL: WebAddress) {
        self.init(form.fields(message: .response), to: notificationURL)
    }

    /// The end of the 3DS Method, in a hidden frame.
    package init(_ request: MethodRequest, to notificationURL: WebAddress) {
        self.init([request.completion], to: notificationURL)
    }

    private init(_ fields: [(name: String, value: String)], to notificationURL: WebAddress) {
        self.fields = fields
        self.notificationURL = notificationURL
    }

    package func page(in context: PageContext) -> BrowserPage {
        let inputs = fields.map { name, value in
            Markup.void(.input, [.hidden, .name(name), .value(value)])
        }
        let label = PageText.proceed.text(in: context.language)
        let button = Markup.element(.button, with: [.look(.primary)], [.text(label)])
        let end = isTimedOut ? PageText.timedOut : PageText.finished
        let content: [Markup] = [
            .element(.paragraph, [.text(end.text(in: context.language))]),
            .element(.form, with: [.posts, .sends(to: notificationURL)], inputs + [button]),
        ]
        return BrowserPage(.result, PageText.back, content, in: context)
    }
}
