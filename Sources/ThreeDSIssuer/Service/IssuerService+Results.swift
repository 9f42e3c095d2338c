import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// The time to note a response, at the end of a lease.
    private static let leaseReserve = Duration.seconds(5)

    /// Another node, or this one after a crash, sends an RReq again after this time, which is
    /// longer than a response takes.
    func lease(of authentication: Authentication) -> Duration {
        let time = directories[authentication.directory]?.responseTime
        return ServedDirectory.connectionTime
            + (time ?? ProtocolTimer.resultsResponse.duration) + Self.leaseReserve
    }

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
                let end = now + lease(of: current)
                // An attempt that ended without a note of its end counts as failed.
                if due != current.challenge?.result?.time, current.challenge?.failedResults == 0 {
                    current.challenge?.failedResults = 1
                }
                current.challenge?.resultDue = end
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

    func deliverOnce(
        _ authentication: Authentication
    ) async throws(StoreFailure) -> ResultOutcome {
        guard let directory = directories[authentication.directory] else {
            // Another node may have it already.
            let reason = "unknown directory"
            try await noteFailure(reason, of: authentication.id)
            return .failed(reason: reason)
        }
        if let number = authentication.valueKey {
            try await store.knowValueKey(number)
            try store.secrets.requireValueKey(number)
        }
        guard let request = try result(of: authentication, for: directory) else {
            try await giveUp(authentication.id)
            return .failed(reason: "there is no result")
        }
        let send = directory.sender(to: authentication.dsURL)
        let reply = await reply(to: request, by: send)
        let outcome = try await note(reply, on: authentication)
        switch outcome {
        case .taken: break
        case .refused(let code):
            observer.report(.resultRefused(authentication: authentication.id, code: code))
        case .unacknowledged(let fault):
            let failure = try await report(fault, by: send)
            observer.report(
                .resultUnacknowledged(
                    authentication: authentication.id,
                    code: fault.code.rawValue,
                    errorFailure: failure
                )
            )
        case .failed(let reason): try await noteFailure(reason, of: authentication.id)
        }
        return outcome
    }

    /// Sends an error message to a directory, once; returns the reason if it did not arrive.
    private func report(
        _ fault: MessageFault,
        by send: ServedDirectory.Sender
    ) async throws(StoreFailure) -> String? {
        guard let message = try fault.errorMessage(from: .acs)?.bytes() else { return nil }
        switch await reply(to: message, by: send) {
        // Its response means nothing.
        case .success: return nil
        case .failure(let failure): return failure.isTimeout ? nil : failure.reason
        }
    }

    private func reply(
        to message: [UInt8],
        by send: ServedDirectory.Sender
    ) async -> Result<[UInt8], ServedDirectory.ResultFailure> {
        do throws(ServedDirectory.ResultFailure) {
            return .success(try await send(message))
        } catch {
            return .failure(error)
        }
    }

    /// The RReq; nil for a row that can have none.
    private func result(
        of authentication: Authentication,
        for directory: ServedDirectory
    ) throws(StoreFailure) -> [UInt8]? {
        guard let report = authentication.challenge?.sentReport else { return nil }
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
