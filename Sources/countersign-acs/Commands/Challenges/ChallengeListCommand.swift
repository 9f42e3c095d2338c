import CommandLineTool
import Storage
import ThreeDSIssuer

struct ChallengeListCommand: Command {
    static let name = "challenge list"
    static let summary = "List the challenges that are not finished, the newest first."
    static let discussion = """
        With --all, finished challenges follow. The ACS keeps them for 97 days.

        A result that did not reach the directory server is sent again for a day. NOT DELIVERED \
        SINCE has the time of such a result, also after the day. Then use countersign-acs challenge \
        send.

        A result without a valid response is not sent again. Its state is "result not acknowledged".

        Exits with 65 if another program changed an authentication in the store. The other challenges \
        are listed.

        \(Installation.storeOnly)
        """

    @Flag("all", help: "List finished challenges, too.") private var listsAll: Bool
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let (challenges, unreadable) = try await installation.withStore {
            store throws(CommandFailure) in
            try await allChallenges(in: store, of: installation)
        }
        let shown = challenges.sorted(by: precedes).map(ShownChallenge.init)
        if !shown.isEmpty {
            try terminal.output.print(
                NamedValue("challenges", shown),
                inJSON: printsJSON,
                or: Table(ShownChallenge.heading, shown.map(\.columns))
            )
        }
        guard unreadable.count == 0 else { throw .unreadable(unreadable) }
        guard !shown.isEmpty else {
            throw CommandFailure(
                .nothingPending,
                listsAll ? "there are no challenges" : "all challenges are finished"
            )
        }
    }

    private static let pageSize = 500

    private func allChallenges(
        in store: IssuerStore,
        of installation: Installation
    ) async throws(CommandFailure) -> ([ChallengeView], ReportedRows) {
        var (challenges, unreadable) = ([ChallengeView](), ReportedRows())
        var last: SQLValue?
        while true {
            let page = try await installation.read(store) {
                [last] connection throws(StoreFailure) in
                try store.challenges(connection).challenges(after: last, limit: Self.pageSize)
            }
            guard let end = page.end else { return (challenges, unreadable) }
            for row in page.unreadable { unreadable.append(row.text) }
            challenges += page.elements.filter { listsAll || isUnfinished($0) }
            last = end
        }
    }
}

/// An operator must also see a result that is no longer sent.
private func isUnfinished(_ challenge: ChallengeView) -> Bool {
    challenge.isPending || challenge.state == .givenUp || challenge.state == .unacknowledged
}

private func precedes(_ first: ChallengeView, _ second: ChallengeView) -> Bool {
    guard isUnfinished(first) == isUnfinished(second) else { return isUnfinished(first) }
    return (first.made, first.id) > (second.made, second.id)
}
