import Localization
import StrictJSON
import ThreeDSProtocol

extension Message {
    /// The first language of the browser in which there are texts; nil if there is none.
    ///
    /// From version 2.3.1, an AReq also has the languages that the browser accepts.
    var browserLanguage: Language? {
        let accepted = self[value: "acceptLanguage"]?.elements.compactMap(\.text) ?? []
        let tags = [self["browserLanguage"]].compactMap { $0 } + accepted
        return tags.lazy.compactMap { Language(tag: $0) }.first
    }
}
