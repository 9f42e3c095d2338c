/// A part of a page.
///
/// Every text is escaped, and the elements and attributes are closed sets. So no value can become
/// markup (SEC-89). Style and script are `StaticString`s, which cannot contain a value.
indirect enum Markup: Sendable {
    case text(String)
    case element(Element, with: [Attribute] = [], [Markup])
    case void(VoidElement, [Attribute])
    case style(StaticString, PageNonce)
    case script(StaticString, PageNonce)

    enum Element: String {
        case html, head, title, noscript, body, main
        case heading = "h1"
        case paragraph = "p"
        case list = "dl"
        case term = "dt"
        case details = "dd"
        /// Isolates a text whose direction is unknown.
        case isolate = "bdi"
        case time, form, button
        case link = "a"
    }

    /// An element without content.
    enum VoidElement: String {
        case meta, input
        case image = "img"
    }
}
