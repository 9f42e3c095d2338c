import Foundation

/// Writes pages of the ACS: one JSON object of standard input is one page, and one line of output.
@main struct PageProgram {
    static func main() throws {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        while let line = readLine() {
            let request = try decoder.decode(PageRequest.self, from: Data(line.utf8))
            let response = PageResponse(try request.page)
            print(String(decoding: try encoder.encode(response), as: UTF8.self))
        }
    }
}
