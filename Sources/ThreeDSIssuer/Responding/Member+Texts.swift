import StrictJSON
import ThreeDSProtocol

extension [JSONValue.Member] {
    /// The elements that have a text.
    init(texts: KeyValuePairs<String, String?>) {
        self = texts.compactMap { name, text in
            text.map { JSONValue.Member(name: name, value: .string($0)) }
        }
    }

    mutating func append(_ name: String, _ value: JSONValue) {
        append(JSONValue.Member(name: name, value: value))
    }
}

extension CardAuthentication {
    /// The identifiers of a message between directory server and ACS.
    var directoryIDs: [JSONValue.Member] {
        .init(texts: [
            "threeDSServerTransID": ids.server, "dsTransID": ids.directory,
            "acsTransID": acsTransID, "sdkTransID": ids.sdk,
        ])
    }

    /// The identifiers of a message to the app or the browser.
    var challengeIDs: [JSONValue.Member] {
        .init(texts: [
            "threeDSServerTransID": ids.server, "acsTransID": acsTransID, "sdkTransID": ids.sdk,
        ])
    }
}
