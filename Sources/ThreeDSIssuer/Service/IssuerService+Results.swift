import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// How long an RReq is sent again, from the result on.
    private static let deliveryLimit = Duration.seconds(86_400)
    /// Another node, or this one after a crash, sends an RReq again after this time, which is
    /// longer than a response takes.
    static let lease = Duration.seconds(10)

    /// A directory with this number of unacknowledged results gets no further ones.
    static let concurrentResults = 64
    /// The maximum number of pages of due rows that one call reads.
    private static let pagesOfResults = 16

    /// Takes due results from other nodes and tasks, until the end of the lease.
    func takeResults() async throws(StoreFailure) -> [Authentication] {
        var pass = ResultPass()
        return try await takeResults(in: &pass)
    }

    /// Takes the next due results of a pass.
    ///
    /// Those for a directory in `busy` stay due.
    func takeResults(
        in pass: inout ResultPass,
        without busy: Set<DirectoryID> = []
    ) async throws(StoreFailure) -> [Authentication] {
        let now = clock()
        var found: [Authentication] = []
        var pages = 0
        // Rows that cannot be read, and those of busy directories, hide no others.
        while found.count < Self.concurrentResults, pages < Self.pagesOfResults {
            let place = pass.place
            let page = try await store.database.read { [store] connection throws(StoreFailure) in
                try store.authentications(connection)
                    .resultsDue(at: now, after: place, limit: Self.concurrentResults)
            }
            for failure in page.failures { observer.report(.storeFailed(failure)) }
            let free = page.elements.filter { !busy.contains($0.directory) }
            found += free
            pass.note(page, hasLeft: free.count < page.elements.count)
            pages += 1
            if !page.isFull { break }
        }
        return found.isEmpty ? [] : try await lease(found, at: now)
    }

    /// Takes those of these results that no other node has taken since they were read.
    private func lease(
        _ found: [Authentication],
        at now: Timestamp
    ) async throws(StoreFailure) -> [Authentication] {
        try await store.database.write { [store] connection throws(StoreFailure) in
            let table = store.authentications(connection)
            var taken: [Authentication] = []
            for old in found {
                guard var current = try table.authentication(old.id),
                    let due = current.challenge?.resultDue, due == old.challenge?.resultDue
                else { continue }
                current.challenge?.resultDue = now + Self.lease
                try table.replace(current)
                taken.append(current)
            }
            return taken
        }
    }

    /// Sends an RReq that was taken, and notes what comes back.
    func deliver(_ authentication: Authentication) async {
        await reporting { () throws(StoreFailure) in _ = try await deliverOnce(authentication) }
    }

    /// Returns the reason of a failure; nil if the directory took the result.
    func deliverOnce(_ authentication: Authentication) async throws(StoreFailure) -> String? {
        guard let directory = directories[authentication.directory] else {
            // Another node may have it already.
            return try await failed("unknown directory", authentication.id)
        }
        if let number = authentication.valueKey { try await store.knowValueKey(number) }
        guard let request = try result(of: authentication, for: directory) else {
            try await giveUp(authentication.id)
            return "there is no result"
        }
        switch await sent(request, to: directory) {
        case .success(let body):
            switch try await acknowledge(authentication, by: body) {
            case .taken: return nil
            case .refused(let code):
                observer.report(.resultRefused(authentication: authentication.id, code: code))
                return "the directory refused it with error \(code)"
            case .unread:
                return try await failed("the directory did not take it", authentication.id)
            }
        case .failure(let failure): return try await failed(failure.reason, authentication.id)
        }
    }

    private func failed(_ reason: String, _ id: String) async throws(StoreFailure) -> String {
        try await noteFailure(reason, of: id)
        return reason
    }

    private func sent(
        _ request: [UInt8],
        to directory: ServedDirectory
    ) async -> Result<[UInt8], ServedDirectory.ResultFailure> {
        do throws(ServedDirectory.ResultFailure) {
            return .success(try await directory.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// The RReq; nil for a row that can have none.
    private func result(
        of authentication: Authentication,
        for directory: ServedDirectory
    ) throws(StoreFailure) -> [UInt8]? {
        guard case .decided(let report)? = authentication.challenge?.progress.state else {
            return nil
        }
        let proof = try authentication.approval.map { approval throws(StoreFailure) in
            ApprovalProof(
                way: approval.way,
                value: try value(of: approval.purchase, by: approval.basis, approval.valueKey),
                eci: directory.cards.eci
            )
        }
        let message = authentication.facts.message(
            report,
            proof: proof,
            error: authentication.challenge?.errorElements,
            rejectedECI: directory.cards.rejectedECI
        )
        return try message?.bytes()
    }
}

// MARK: Responses

extension IssuerService {
    /// The result is sent again after these errors.
    private static let transientErrors = Set(
        [MessageErrorCode.timedOut, .transientFailure, .connectionFailed].map(\.rawValue)
    )

    private enum Acknowledgement: Sendable {
        /// By an RRes, or by a response to another node.
        case taken
        /// By an error message: the result is not sent again, and the shopper goes on.
        case refused(code: String)
        /// The result is sent again.
        case unread
    }

    /// Notes an RRes, or the error message of a directory that refuses the result.
    private func acknowledge(
        _ authentication: Authentication,
        by body: [UInt8]
    ) async throws(StoreFailure) -> Acknowledgement {
        let found = try await step(at: .id(authentication.id)) { step throws(StoreFailure) in
            let refusal = step.error(in: body)?.code
            guard let code = refusal ?? step.resultsStatus(in: body),
                !Self.transientErrors.contains(code)
            else { return Acknowledgement.unread }
            guard case .decided = step.challenge.progress.state else { return .taken }
            step.change {
                $0.resultDue = nil
                $0.isResultRefused = refusal != nil
            }
            let type = refusal == nil ? MessageType.rres : .erro
            step.add(.reported, [type.rawValue, code])
            _ = step.apply(.resultAcknowledged)
            return refusal.map { .refused(code: $0) } ?? .taken
        }
        return found ?? .taken
    }

    private enum Attempt: Sendable {
        /// Another node has delivered it meanwhile.
        case delivered
        case failed(count: Int)
        case givenUp
    }

    private func noteFailure(_ reason: String, of id: String) async throws(StoreFailure) {
        let attempt = try await step(at: .id(id)) { step throws(StoreFailure) in
            guard step.challenge.resultDue != nil else { return Attempt.delivered }
            let count = step.challenge.failedResults + 1
            step.change { $0.failedResults = count }
            let decided = step.challenge.result?.time ?? step.authentication.made
            guard step.now.elapsed(since: decided) < Self.deliveryLimit else {
                step.giveUpResult()
                return .givenUp
            }
            let next = step.now + ResultDelivery.delay(afterFailures: count)
            step.change { $0.resultDue = next }
            return .failed(count: count)
        }
        switch attempt {
        case .delivered, nil: break
        case .failed(let count):
            observer.report(.resultFailed(authentication: id, reason: reason, count: count))
        case .givenUp: observer.report(.resultGivenUp(authentication: id))
        }
    }

    private func giveUp(_ id: String) async throws(StoreFailure) {
        _ = try await step(at: .id(id)) { step throws(StoreFailure) in step.giveUpResult() }
        observer.report(.resultGivenUp(authentication: id))
    }
}

extension ChallengeStep {
    /// The status of an RRes; nil if the bytes are not one.
    fileprivate func resultsStatus(in bytes: [UInt8]) -> String? {
        // The result is sent again after any other response: `try?`.
        (try? read(bytes, as: [.rres]))?["resultsStatus"]
    }

    mutating func giveUpResult() {
        change { $0.resultDue = nil }
        add(.givenUp, [])
    }
}

extension StoredChallenge {
    fileprivate var errorElements: JSONValue? {
        // This ACS wrote them: `try?`.
        error.flatMap { try? JSONValue(reading: $0, limits: MessageType.erro.limits) }
    }
}

extension Authentication {
    fileprivate var approval:
        (
            basis: AuthenticationBasis, way: AuthenticationType, purchase: AuthenticatedPurchase,
            valueKey: UInt8
        )?
    {
        guard case .approval(_, let way)? = basis, let basis, let purchase, let valueKey else {
            return nil
        }
        return (basis, way, purchase, valueKey)
    }
}

/// The sender's place among the due results, the oldest first.
///
/// During an outage, thousands of results can be due for one directory. A pass reads them once, and
/// leaves those of a busy directory. Then it goes on with new results, whose times are later.
struct ResultPass {
    /// After the last row that was read.
    private(set) var place = DueCursor.start
    /// Whether further rows were due.
    private(set) var goesOn = true
    /// Whether it left results of busy directories.
    private var hasLeft = false
    private let start = ContinuousClock.now

    /// A node whose clock is behind can add a row before the place.
    private static let maximumAge = Duration.seconds(10)

    fileprivate mutating func note(_ page: DueRows<Authentication>, hasLeft: Bool) {
        place = page.last ?? place
        goesOn = page.isFull
        self.hasLeft = self.hasLeft || hasLeft
    }

    /// Whether the next pass begins at the oldest result; `isFreed` states that a directory is no
    /// longer busy.
    func isOver(isFreed: Bool) -> Bool {
        !goesOn && (!hasLeft || isFreed || ContinuousClock.now - start >= Self.maximumAge)
    }
}
