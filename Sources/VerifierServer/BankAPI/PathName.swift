import BankIntegration

/// The parameters of paths.
enum PathName: String, CaseIterable, PathParameter {
    case enterprise
    case accountType, accountID
    case otherType, otherID
    case activation, device, credential, transaction, login
    case sequence, target
}
