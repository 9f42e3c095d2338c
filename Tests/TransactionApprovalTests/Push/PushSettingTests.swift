import Testing
import TransactionApproval

@Suite struct `Push tokens` {
    @Test(arguments: ["a", "dX:APA91b_-9", String(repeating: "x", count: 1024)])
    func `of FCM are accepted`(_ text: String) throws {
        #expect(try #require(FCMToken(text)).text == text)
    }

    @Test(arguments: [
        "", String(repeating: "x", count: 1025), "a b", "a\n", "a/b", "a.b", "a%20", "é", "a\0",
        "a=",
        "１",
    ])
    func `of anything else are refused`(_ text: String) {
        #expect(FCMToken(text) == nil)
    }

    @Test func `are not printed`() throws {
        let setting = PushSetting.fcm(try #require(FCMToken("dX:APA91b_-9")))
        var shown = "\(setting)"
        dump(setting, to: &shown)
        #expect(!shown.contains("APA91b"))
    }
}
