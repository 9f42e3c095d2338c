@testable import ThreeDSProtocol

/// Sample messages that together have every element of every message and version.
enum Scenarios {
    static let all: [SampleMessage] = {
        let kinds = [
            requests, responses, results, challengeRequests, challengeResponses, others,
        ]
        return ProtocolVersion.allCases.flatMap { version in kinds.flatMap { $0(version) } }
    }()

    private static func requests(_ version: ProtocolVersion) -> [SampleMessage] {
        DeviceChannel.allCases.flatMap { channel in
            MessageCategory.allCases.flatMap { category in
                [Component.directory, .acs].map { receiver in
                    let indicator = receiver == .acs ? "03" : "01"
                    return SampleMessage(
                        .areq,
                        version,
                        to: receiver,
                        on: channel,
                        for: category,
                        [
                            "threeDSRequestorAuthenticationInd": indicator,
                            "threeRIInd": receiver == .acs ? "02" : "03",
                            "sdkType": receiver == .acs ? "01" : "02",
                        ]
                    )
                }
            }
        }
    }

    private static let asked: [String: [String]] = [
        "threeDSRequestorDecReqInd": ["B"], "threeDSRequestorChallengeInd": [],
        "threeDSRequestorSpcSupport": ["Y"],
    ]

    private static func responses(_ version: ProtocolVersion) -> [SampleMessage] {
        DeviceChannel.allCases.flatMap { channel -> [SampleMessage] in
            var statuses = ["Y", "N"]
            if channel != .requestor { statuses.append("C") }
            if version >= .twoTwo { statuses.append("D") }
            if version == .twoThree, channel == .browser { statuses.append("S") }
            // B was added by 2.3.1.
            let wish = version == .twoTwo ? ["Y"] : ["B"]
            let decisions = asked.merging(["threeDSRequestorDecReqInd": wish]) { $1 }
            return statuses.map { status in
                SampleMessage(
                    .ares,
                    version,
                    to: .directory,
                    on: channel,
                    for: status == "N" ? .nonPayment : .payment,
                    ["transStatus": status],
                    after: decisions
                )
            }
        }
    }

    private static func results(_ version: ProtocolVersion) -> [SampleMessage] {
        DeviceChannel.allCases.flatMap { channel in
            [("Y", Component.directory), ("N", .server), ("U", .directory)].map {
                status,
                receiver in
                SampleMessage(
                    .rreq,
                    version,
                    to: receiver,
                    on: channel,
                    for: status == "U" ? .nonPayment : .payment,
                    [
                        "transStatus": status,
                        "challengeCancel": version == .twoThree && status == "U" ? "09" : "01",
                    ],
                    after: asked.merging(["acsDecConInd": status == "Y" ? ["Y"] : []]) { $1 }
                )
            }
        }
    }

    private static func challengeRequests(_ version: ProtocolVersion) -> [SampleMessage] {
        var pages = ["01", "02", "04", "05"]
        if version == .twoThree { pages += ["06", "07"] }
        let texts: [String: [String]] = [
            "challengeAddLabel": ["x"], "challengeEntryBoxTwo": [""], "trustListInfoText": ["x"],
            "whitelistingInfoText": ["x"], "deviceBindingInfoText": ["x"],
        ]
        let actions: Set = [
            "challengeCancel", "resendChallenge", "challengeNoEntry", "challengeAddCode",
        ]
        func request(_ page: String, _ without: Set<String>, _ texts: [String: [String]])
            -> SampleMessage
        {
            SampleMessage(
                .creq,
                version,
                to: .acs,
                on: .app,
                without: without,
                after: texts.merging(["acsUiType": [page]]) { $1 }
            )
        }
        let shown = pages.map { request($0, actions, texts) }
        return shown + [
            request(
                "01",
                actions.subtracting(["challengeCancel"]).union(["challengeDataEntry"]),
                [:]
            ),
            request(
                "01",
                actions.subtracting(["resendChallenge"]).union(["challengeDataEntry"]),
                [:]
            ),
            request(
                "01",
                actions.subtracting(["challengeNoEntry"]).union(["challengeDataEntry"]),
                [:]
            ),
            request("04", actions.subtracting(["challengeAddCode"]), texts),
            SampleMessage(.creq, version, to: .acs, on: .app, without: actions),
            SampleMessage(.creq, version, to: .acs, on: .browser),
        ]
    }

    private static func challengeResponses(_ version: ProtocolVersion) -> [SampleMessage] {
        var pages = ["01", "02", "04", "05"]
        if version == .twoThree { pages += ["06", "07"] }
        let shown = pages.map { page in
            SampleMessage(
                .cres,
                version,
                to: .sdk,
                on: .app,
                ["acsUiType": page, "challengeCompletionInd": "N"],
                after: ["oobAppURLInd": ["01"]]
            )
        }
        return shown + [
            SampleMessage(.cres, version, to: .sdk, on: .app, ["challengeCompletionInd": "Y"]),
            SampleMessage(.cres, version, to: .sdk, on: .app, for: .nonPayment),
            SampleMessage(.cres, version, to: .server, on: .browser),
        ]
    }

    private static func others(_ version: ProtocolVersion) -> [SampleMessage] {
        let responses = DeviceChannel.allCases.map {
            SampleMessage(.rres, version, to: .acs, on: $0)
        }
        return responses + [
            SampleMessage(.preq, version, to: .directory),
            SampleMessage(.pres, version, to: .server, without: ["cardRangeDataFileURL"]),
            SampleMessage(.pres, version, to: .server),
            SampleMessage(.erro, version, to: .server, ["errorCode": "101"]),
        ]
    }
}
