import AuthenticationHandler
import Testing

@Suite struct `A PIN from the digits of an app` {
    @Test(arguments: ["271905", "27190x", "1"])
    func `SEC-26: wipes the digits, also if it is refused`(_ text: String) {
        var digits = Array(text.utf8)
        // Another test is about the refusal: `try?`.
        _ = try? PIN(wiping: &digits)
        #expect(digits == [UInt8](repeating: 0, count: text.utf8.count))
    }
}
