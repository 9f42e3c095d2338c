import ThreeDSProtocol

extension CardAuthentication {
    /// The whole challenge ends with the SDK's own timer, or 600 seconds after a page.
    func approvalSeconds(
        for request: Message,
        policySeconds: Int?,
        by settings: IssuerSettings
    ) -> Int {
        let minutes: String?
        switch (isDecoupled, channel) {
        case (true, _): minutes = request["threeDSRequestorDecMaxTime"]
        case (false, .app): minutes = request["sdkMaxTimeout"]
        case (false, _): minutes = nil
        }
        let limits = [
            settings.approvalSeconds, minutes.flatMap { Int($0) }.map { $0 * 60 }, policySeconds,
        ]
        return max(30, limits.compactMap { $0 }.reduce(Self.maximumSeconds, min))
    }

    /// The time for a decoupled approval; the 3DS server waits little longer.
    ///
    /// Without a time of it, one transaction can be created and end.
    func decoupledTime(for request: Message, _ approvalSeconds: Int) -> Duration {
        let minutes = request["threeDSRequestorDecMaxTime"].flatMap { Int($0) }
        return .seconds(minutes.map { $0 * 60 } ?? approvalSeconds + Self.creationSeconds)
    }

    private static let creationSeconds = 60

    /// Also the maximum of the bank's API.
    private static let maximumSeconds = Int(
        ProtocolTimer.nextChallengeRequest.duration.components.seconds
    )
}
