import StrictJSON
import ThreeDSProtocol
import Transactions

extension AuthenticationType {
    /// The value of `authenticationMethod`.
    var method: String {
        switch self {
        case .biometric: "07"
        case .userPIN: "09"
        case .consent: "11"
        }
    }
}

extension CardAuthentication {
    /// `authenticationMethod` of version 2.3.1 for `ways`, in ascending order.
    func methods(of ways: AuthenticationTypes) -> JSONValue {
        let codes = AuthenticationType.allCases.filter { ways.contains($0) }.map(\.method)
        // Earlier versions state by `authenticationType` that it is decoupled.
        return .array((codes.sorted() + (isDecoupled ? ["12"] : [])).map { .string($0) })
    }

    /// `authenticationType`, which version 2.3.1 no longer has.
    var authenticationType: String? {
        guard version < .twoThree else { return nil }
        return isDecoupled ? "04" : "03"
    }

    /// The one page that the ACS shows in an app: native, for an approval on another device.
    var renderingType: JSONValue {
        var members: [JSONValue.Member] = .init(texts: [
            "acsInterface": "01", "acsUiTemplate": "04",
        ])
        // An upright screen.
        if version >= .twoThree { members.append("deviceUserInterfaceMode", .string("01")) }
        return .object(members)
    }
}
