import Cryptography
import Localization
package import Storage
import ThreeDSProtocol
import Transactions

/// The response to a browser.
package enum BrowserResponse: Sendable {
    case page(BrowserPage)
    /// The address of the page, which is loaded with GET: a reload then posts nothing.
    case redirection(to: String)
}

// MARK: Requests

extension IssuerService {
    /// The response to the form with the CReq (`creq`).
    package func response(
        toForm body: [UInt8]
    ) async throws(StoreFailure) -> BrowserResponse {
        guard let fields = FormFields(reading: body),
            let form = ChallengeForm(fields, message: .request), let id = form.transactionID
        else { return .page(try notice(.malformedRequest)) }
        let digest = try orStoreFailure(HashAlgorithm.sha256.digest(of: form.message.span)).array
        let entrance = StoredChallenge.BrowserSession.Entrance(
            digest: digest,
            sessionData: form.sessionData
        )
        let outcome = try await orderingTransaction(at: .id(id)) {
            step,
            attempt throws(StoreFailure) in
            try step.enter(form.message, entrance, attempt)
        }
        switch outcome {
        case .none: return .page(try notice(.malformedRequest))
        case .page(let handle)?: return .redirection(to: path(of: handle, with: nil))
        case .fault(let fault, let session)?:
            return .page(try await page(fault, session, form.sessionData))
        }
    }

    /// The page of a challenge, in its present state.
    package func page(
        _ handle: PageHandle,
        with note: WaitingPage.Note? = nil
    ) async throws(StoreFailure) -> BrowserPage {
        let outcome = try await orderingTransaction(at: .page(handle)) {
            step,
            attempt throws(StoreFailure) in
            try step.load(attempt)
        }
        switch outcome {
        case .none: return try notice(.unknownHandle)
        case .waiting(let challenge, let session, let directory, let now)?:
            return try page(challenge, session, of: directory, with: note, at: now)
        case .finished(let message, let session, let isTimedOut)?:
            return try result(message, session, session.request?.sessionData, isTimedOut)
        }
    }

    /// Performs the action of a form, and returns to the page.
    package func response(
        to action: PageAction,
        on handle: PageHandle,
        form body: [UInt8]
    ) async throws(StoreFailure) -> BrowserResponse {
        guard let token = FormFields(reading: body)?["token"], try isToken(token, of: handle)
        else { return .page(try notice(.unknownHandle)) }
        let found = try await step(at: .page(handle)) { step throws(StoreFailure) in
            step.pressed(action)
        }
        let note: WaitingPage.Note?
        switch found {
        case .none: return .page(try notice(.unknownHandle))
        case .notify(let order)?: note = await notify(order).note
        // The page orders it when it is loaded.
        case .askAgain?: note = .askedAgain
        case .show?: note = action == .continue ? .notYet : nil
        }
        return .redirection(to: path(of: handle, with: note))
    }

    /// The state of the page when it is over or not the shown one, or after `limit`.
    ///
    /// Nil if there is no such page.
    package func state(
        of handle: PageHandle,
        showing shown: PageState?,
        within limit: Duration
    ) async throws(StoreFailure) -> PageState? {
        let deadline = ContinuousClock.now + limit
        guard let id = try await authentication(ofPage: handle)?.id else { return nil }
        var known = shown
        while true {
            let ticket = changes.ticket(for: id)
            defer { changes.discard(ticket) }
            guard let challenge = try await authentication(ofPage: handle)?.challenge else {
                return nil
            }
            let left = deadline - ContinuousClock.now
            let isLast = left <= .zero || changes.hasEnded || Task.isCancelled
            let state = challenge.pageState
            if isLast || state == .over || state != known ?? state { return state }
            known = state
            // Another node can change the row, so it is read every second.
            await changes.wait(ticket, atMost: min(left, .seconds(1)))
        }
    }

    private func authentication(
        ofPage handle: PageHandle
    ) async throws(StoreFailure) -> Authentication? {
        try await store.database.read { [store] connection throws(StoreFailure) in
            try store.authentications(connection).authentication(ofPage: handle)
        }
    }

    private func path(of handle: PageHandle, with note: WaitingPage.Note?) -> String {
        let query = note.map { "?note=\($0.rawValue)" } ?? ""
        return ChallengeAddresses.pagePath + handle.text + query
    }

    private func isToken(_ token: String, of handle: PageHandle) throws(StoreFailure) -> Bool {
        // A form of a stranger contains anything, so the reason is not needed: `try?`.
        guard let bytes = try? TextEncoding.base64URL.decode(token), bytes.count == 32 else {
            return false
        }
        return try orStoreFailure(store.secrets.formToken(of: handle))
            == Digest(copying: bytes.span)
    }
}

// MARK: Pages

extension IssuerService {
    /// In the language of the configuration without one of the browser.
    private func context(_ language: Language? = nil) throws(StoreFailure) -> PageContext {
        let bytes = try orStoreFailure(randomBytes(count: 16))
        guard let nonce = PageNonce(TextEncoding.base64URL.encode(bytes.span)) else {
            throw .misuse
        }
        return PageContext(
            language: language ?? settings.language,
            nonce: nonce,
            isSandbox: addresses.isSandbox
        )
    }

    /// A page of words.
    package func notice(_ page: NoticePage) throws(StoreFailure) -> BrowserPage {
        page.page(in: try context())
    }

    /// The end of the 3DS Method: the ACS needs nothing of the browser before the AReq.
    func methodPage(form body: [UInt8]) throws(StoreFailure) -> BrowserPage {
        guard let request = FormFields(reading: body).flatMap({ MethodRequest($0) }),
            let address = WebAddress(
                request.notificationURL,
                atMost: MethodRequest.maximumURLByteCount,
                isSandbox: addresses.isSandbox
            )
        else { return try notice(.malformedRequest) }
        return ResultPage(request, to: address).page(in: try context())
    }

    private func page(
        _ challenge: StoredChallenge,
        _ session: StoredChallenge.BrowserSession,
        of directory: DirectoryID,
        with note: WaitingPage.Note?,
        at now: Timestamp
    ) throws(StoreFailure) -> BrowserPage {
        let token = try orStoreFailure(store.secrets.formToken(of: session.handle))
        // Later pages do not extend the offer of another request.
        let offerEnd = challenge.pageState == .expired ? challenge.due : nil
        let end = [Timestamp(of: challenge.progress.deadline), offerEnd, challenge.approvalEnd]
            .compactMap { $0 }.min()
        let left = end?.elapsed(since: now) ?? .zero
        var page = WaitingPage(
            session.handle,
            token: token.withBytes { TextEncoding.base64URL.encode($0) },
            amount: session.amount,
            shop: session.shop,
            lastFour: session.lastFour,
            secondsLeft: Int(left.components.seconds)
        )
        page.laterPayments = challenge.laterPayments
        page.number = challenge.transaction?.number
        page.isMuted = challenge.isMuted
        page.heading = settings.heading
        page.logos = settings.logos(of: directory)
        page.device = settings.webDevice
        page.state = challenge.pageState
        if challenge.transaction == nil, challenge.progress.state == .asked {
            page.note = .notRequested
        } else if let note {
            page.note = note
        }
        return page.page(in: try context(session.language))
    }

    private func result(
        _ message: Message,
        _ session: StoredChallenge.BrowserSession,
        _ sessionData: String?,
        _ isTimedOut: Bool = false
    ) throws(StoreFailure) -> BrowserPage {
        guard
            let address = WebAddress(session.notificationURL, isSandbox: addresses.isSandbox)
        else { return try notice(.unknownHandle) }
        let form = ChallengeForm(message: try message.bytes(), sessionData: sessionData)
        var page = ResultPage(form, to: address)
        page.isTimedOut = isTimedOut
        return page.page(in: try context(session.language))
    }

    /// The 3DS server gets the error by the browser.
    private func page(
        _ fault: MessageFault,
        _ session: StoredChallenge.BrowserSession,
        _ sessionData: String?
    ) async throws(StoreFailure) -> BrowserPage {
        guard let message = fault.errorMessage(from: .acs) else {
            return try notice(.malformedRequest)
        }
        return try result(message, session, sessionData)
    }
}

// MARK: Steps

private enum Entered: Sendable {
    case page(PageHandle)
    case fault(MessageFault, StoredChallenge.BrowserSession)
}

private enum Pressed: Sendable {
    case show
    case notify(NotificationOrder)
    case askAgain
}

private enum Loaded: Sendable {
    case waiting(
        StoredChallenge,
        StoredChallenge.BrowserSession,
        of: DirectoryID,
        at: Timestamp
    )
    case finished(Message, StoredChallenge.BrowserSession, isTimedOut: Bool)
}

extension ChallengeStep {
    /// Begins the challenge with its first CReq.
    ///
    /// A first one that is refused ends the challenge. The same CReq again leads to the same page, and
    /// another one changes nothing.
    fileprivate mutating func enter(
        _ body: [UInt8],
        _ entrance: StoredChallenge.BrowserSession.Entrance,
        _ attempt: TransactionAttempt
    ) throws(StoreFailure) -> Ordering<Entered> {
        guard case .browser(var session) = challenge.party else { return .noPage }
        do throws(MessageReader.Failure) {
            _ = try read(MessageDocument(body, limits: MessageType.creq.limits), as: .creq)
        } catch {
            switch error {
            case .fault(let fault):
                // After the first CReq, a stranger who saw the identifiers could send it.
                let isFirst = session.request == nil
                if isFirst, fault.messageType != .erro { try abandon(because: fault) }
                return .outcome(.fault(fault, session))
            case .system(let failure): throw .system(SystemFailure(failure))
            }
        }
        settle(attempt)
        switch session.request {
        case nil:
            _ = apply(.request(.show))
            // A first CReq that comes late has no page.
            if let code = challenge.progress.closingError {
                return .outcome(.fault(fault(code), session))
            }
            session.request = entrance
            let party = StoredChallenge.Party.browser(session)
            change { $0.party = party }
        case entrance?: _ = apply(.clock)
        default:
            let code: MessageErrorCode =
                challenge.result == nil ? .transactionDataInvalid : .challengeRequestAfterResult
            return .outcome(.fault(fault(code), session))
        }
        if let order = order(after: attempt) { return .order(order) }
        if case .ended = challenge.progress.state {
            return .outcome(.fault(fault(.challengeRequestAfterResult), session))
        }
        return .outcome(.page(session.handle))
    }

    fileprivate mutating func pressed(_ action: PageAction) -> Pressed {
        let actions = apply(.request(action.request))
        if actions.contains(.createTransaction) { return .askAgain }
        return notification(for: actions).map { .notify($0) } ?? .show
    }

    fileprivate mutating func load(
        _ attempt: TransactionAttempt
    ) throws(StoreFailure) -> Ordering<Loaded> {
        // Without a CReq there is no page.
        guard case .browser(let session) = challenge.party, session.request != nil else {
            return .noPage
        }
        settle(attempt)
        let actions = apply(.request(.load))
        // A tab that is loaded again later posts nothing more to the shop.
        if challenge.progress.state == .ended { return .noPage }
        if let order = order(after: attempt) { return .order(order) }
        let isTimedOut = challenge.result?.isTimedOut ?? false
        for action in actions {
            switch action {
            case .finish(let status):
                let message = authentication.facts.lastMessage(status)
                return .outcome(.finished(message, session, isTimedOut: isTimedOut))
            case .sendError(let code):
                guard let message = fault(code).errorMessage(from: .acs) else { return .noPage }
                return .outcome(.finished(message, session, isTimedOut: isTimedOut))
            default: continue
            }
        }
        return .outcome(.waiting(challenge, session, of: authentication.directory, at: now))
    }
}

/// The end of a step that may need a transaction first.
private enum Ordering<Outcome: Sendable>: Sendable {
    case order(TransactionOrder)
    case outcome(Outcome)
    case noPage
}

extension IssuerService {
    /// Runs a step, and runs it again after the transaction was ordered that it needs.
    fileprivate func orderingTransaction<Outcome: Sendable>(
        at place: ChallengeStep.Place,
        _ body:
            @escaping @Sendable (inout ChallengeStep, TransactionAttempt) throws(StoreFailure)
            -> Ordering<Outcome>
    ) async throws(StoreFailure) -> Outcome? {
        var attempt = TransactionAttempt.notMade
        while true {
            let current = attempt
            let ordering = try await step(at: place) { step throws(StoreFailure) in
                try body(&step, current)
            }
            switch ordering {
            case .order(let order)?: attempt = await self.attempt(order)
            case .outcome(let outcome)?: return outcome
            case .noPage?, nil: return nil
            }
        }
    }
}

extension StoredChallenge {
    fileprivate var pageState: PageState {
        switch progress.state {
        case _ where progress.closingError != nil: .over
        case .asked where transaction == nil: .unsent
        case .promised, .asked, .withdrawing, .decided: .pending
        case .unanswered: .expired
        case .reported, .ended: .over
        }
    }
}

extension PageAction {
    fileprivate var request: Challenge.Request {
        switch self {
        case .continue: .show
        case .again: .resend
        case .cancel: .cancel
        }
    }
}

extension ChallengeForm {
    /// The identifier by which the challenge is found; the message is checked afterwards.
    fileprivate var transactionID: String? {
        UnencryptedMessage(reading: message).challenge?.text
    }
}
