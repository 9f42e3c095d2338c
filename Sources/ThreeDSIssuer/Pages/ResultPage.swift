import Localization
package import ThreeDSProtocol

/// The last page, by which the browser brings the CRes or the error to the 3DS server.
///
/// The script sends the form at once; without scripts, the person presses its button.
package struct ResultPage: Sendable {
    private let form: ChallengeForm
    private let notificationURL: WebAddress

    /// The form has the message of an error under the name of a CRes, too.
    package init(_ form: ChallengeForm, to notificationURL: WebAddress) {
        self.form = form
        self.notificationURL = notificationURL
    }

    package func page(in context: PageContext) -> BrowserPage {
        let inputs = form.fields(message: .response).map { name, value in
            Markup.void(.input, [.hidden, .name(name), .value(value)])
        }
        let label = PageText.proceed.text(in: context.language)
        let button = Markup.element(.button, with: [.look(.primary)], [.text(label)])
        let content: [Markup] = [
            .element(.paragraph, [.text(PageText.finished.text(in: context.language))]),
            .element(.form, with: [.posts, .sends(to: notificationURL)], inputs + [button]),
        ]
        return BrowserPage(.result, PageText.back, content, in: context)
    }
}
