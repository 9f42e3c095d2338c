import StrictJSON
import ThreeDSProtocol

/// Changes of `ApprovalRequest.document` as it is stored and sent.
enum RequestDocument {
    /// Nil if `change` returns nil.
    static func changed(
        _ document: [UInt8],
        _ change: ([JSONValue.Member]) -> [JSONValue.Member]?
    ) -> [UInt8]? {
        // This program wrote the document: `try?`.
        guard case .object(let members)? = try? JSONValue(reading: document, limits: .message),
            let changed = change(members)
        else { return nil }
        return try? JSONValue.object(changed).written()
    }

    /// How long the transaction is pending.
    static func seconds(of document: [UInt8]) -> Int? {
        // This program wrote the document: `try?`.
        guard
            case .number(let number)? = (try? JSONValue(reading: document, limits: .message))?[
                secondsName
            ]
        else { return nil }
        return number.integer(Int.self)
    }

    /// The document with another time.
    static func withSeconds(_ seconds: Int, in document: [UInt8]) -> [UInt8] {
        let changed = changed(document) { members in
            members.map { member in
                guard member.name == secondsName else { return member }
                return JSONValue.Member(name: secondsName, value: .number(JSONNumber(seconds)))
            }
        }
        return changed ?? document
    }

    private static let secondsName = "seconds"
}
