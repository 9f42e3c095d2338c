import Testing

@testable import HTTPServer

@Suite struct `Dates` {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `have the format of HTTP`(_ second: Int, _ text: String) {
        #expect(HTTPDate(secondsSince1970: second).text == text)
    }
}
