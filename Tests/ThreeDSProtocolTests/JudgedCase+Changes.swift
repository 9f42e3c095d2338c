import StrictJSON

@testable import ThreeDSProtocol

extension SampleMessage {
    /// The text with other values, in JSON; nil removes the element.
    func changed(_ changes: [(String, String?)]) -> JudgedCase {
        var texts = members.map { ($0.name, $0.value.document) }
        for (name, value) in changes {
            let index = texts.firstIndex { $0.0 == name }
            if let index { texts.remove(at: index) }
            if let value { texts.insert((name, value), at: index ?? texts.count) }
        }
        let text = texts.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        let name = changes.map { "\($0.0): \(($0.1 ?? "absent").prefix(40))" }
        return JudgedCase(name: name.joined(separator: ", "), text: "{\(text)}", sample: self)
    }
}

extension JudgedCase {
    /// The verdict of our reader, if the reference checker has the same one.
    func agreedVerdict() throws -> String {
        let ours = try verdict()
        let theirs = try Self.referenceVerdicts([self]).first ?? "none"
        return ours == theirs ? ours : "ours: \(ours), reference: \(theirs)"
    }
}
