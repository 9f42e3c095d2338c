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

extension AuthenticationTypes {
    /// The element of version 2.3.1, in ascending order.
    var methods: JSONValue {
        let codes = AuthenticationType.allCases.filter { contains($0) }.map(\.method).sorted()
        return .array(codes.map { .string($0) })
    }
}

extension CardAuthentication {
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
