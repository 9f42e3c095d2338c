import Localization
import StrictJSON
package import ThreeDSProtocol

/// The content of an ARes, with everything that its status needs.
package enum AuthenticationResponse: Sendable {
    case challenge(Entrance)
    case frictionless(AuthenticationValue, ECI)
    case decoupled
    case informationOnly
    case refused(Refusal)

    /// How the app or the browser begins the challenge.
    package enum Entrance: Sendable {
        /// The keys and the address of the secure channel.
        case app(signedContent: String)
        case browser(acsURL: String)
    }
}

extension CardAuthentication {
    /// The ARes to an accepted AReq.
    package func message(
        _ response: AuthenticationResponse,
        to request: Message,
        rejectedECI: ECI = .notAuthenticated,
        by settings: IssuerSettings
    ) -> Message {
        var members = directoryIDs
        members += .init(texts: [
            "dsReferenceNumber": request["dsReferenceNumber"],
            "acsReferenceNumber": settings.referenceNumber,
        ])
        switch response {
        case .challenge(let entrance): members += challenge(entrance)
        case .frictionless(let value, let eci):
            members += .init(texts: [
                "transStatus": "Y", "authenticationValue": value.text, "eci": eci.digits,
            ])
        case .decoupled: members += decoupled(by: settings)
        case .informationOnly: members += .init(texts: ["transStatus": "I"])
        case .refused(let refusal):
            members += .init(texts: [
                "transStatus": refusal.status.rawValue,
                "transStatusReason": refusal.reason(in: version).rawValue,
                "eci": refusal.status == .notAuthenticated ? indicator(rejectedECI) : nil,
            ])
        }
        return Message(.ares, version, members + trustList(for: request) + appSupport)
    }

    /// Only a payment has one.
    func indicator(_ eci: ECI) -> String? { category == .payment ? eci.digits : nil }

    private func challenge(_ entrance: AuthenticationResponse.Entrance) -> [JSONValue.Member] {
        var members = approval(status: "C")
        switch entrance {
        case .app(let signedContent):
            members.append("acsRenderingType", renderingType)
            members.append("acsSignedContent", .string(signedContent))
        case .browser(let acsURL): members.append("acsURL", .string(acsURL))
        }
        return members
    }

    private func decoupled(by settings: IssuerSettings) -> [JSONValue.Member] {
        let text = JSONValue.string(IssuerText.decoupled.text(in: settings.language))
        var members = approval(status: "D")
        members.append("acsDecConInd", .string("Y"))
        members.append(
            "cardholderInfo",
            version < .twoThree ? text : .object([.init(name: "text", value: text)])
        )
        return members
    }

    /// The elements of a status that promises an approval.
    private func approval(status: String) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = .init(texts: [
            "transStatus": status, "acsChallengeMandated": "Y",
            "authenticationType": authenticationType,
        ])
        if version >= .twoThree { members.append("authenticationMethod", methods(of: ways)) }
        return members
    }
}

// MARK: Other elements

extension CardAuthentication {
    /// The issuer has no trust list, so no shop is eligible (E), by the ACS's decision (03).
    private func trustList(for request: Message) -> [JSONValue.Member] {
        guard let name = version.trustListName, request.mentionsTrustList(name) else { return [] }
        return .init(texts: [name: "E", name + "Source": "03"])
    }

    /// The features that an app of version 2.3.1 can use.
    private var appSupport: [JSONValue.Member] {
        guard version >= .twoThree, channel == .app else { return [] }
        // The version of the list of device data is from memory. The ACS reads every version.
        return .init(texts: [
            "threeDSRequestorAppURLInd": "Y", "deviceInfoRecognisedVersion": "1.6",
        ])
    }
}

extension ProtocolVersion {
    fileprivate var trustListName: String? {
        switch self {
        case .twoOne: nil
        case .twoTwo: "whiteListStatus"
        case .twoThree: "trustListStatus"
        }
    }
}

extension Message {
    fileprivate func mentionsTrustList(_ name: String) -> Bool {
        self[name] != nil || !wishes.isDisjoint(with: [.trustListExemption, .trustListPrompt])
    }
}
