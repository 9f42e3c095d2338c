extension NotificationReport {
    /// The text of the page or the app afterwards.
    var note: WaitingPage.Note {
        switch self {
        case .sent: .askedAgain
        case .tooSoon: .askedTooSoon
        case .refused: .notAskedAgain
        case .ended: .notYet
        case .unavailable: .notRequested
        }
    }
}
