package import Verification

extension AttemptResult {
    /// The result without values that differ between accounts.
    package var label: String {
        switch self {
        case .accepted: "accepted"
        case .refused(.alreadyDecided): "already decided"
        case .refused(.counterOutOfStep): "out of step"
        case .refused(.wrongCode(.counted(let left))): "wrong, \(left) left"
        case .refused(.wrongCode(.locked)): "wrong, then locked"
        case .refused(.locked): "locked"
        case .refused(let refusal): "\(refusal)"
        }
    }
}
