import Foundation

/// Reads QR codes with zbarimg.
package enum QRReader {
    /// The text of a QR code in an SVG or in a picture of block characters.
    package static func text(of picture: String, _ form: String) throws -> String {
        let rows = form == "svg" ? rows(ofSVG: picture) : rows(ofText: picture)
        let folder = try TemporaryFolder()
        let file = try folder.write(bitmap(rows), to: "code.pbm")
        let process = try FinishedProcess.run("zbarimg", ["--quiet", "--raw", file])
        return process.output.trimmingCharacters(in: .newlines)
    }

    /// Eight dots per module, as a portable bitmap.
    private static func bitmap(_ rows: [[Bool]]) -> String {
        let scale = 8
        let lines = rows.flatMap { row in
            Array(
                repeating: row.map { String(repeating: $0 ? "1 " : "0 ", count: scale) }.joined(),
                count: scale
            )
        }
        let width = (rows.first?.count ?? 0) * scale
        return "P1\n\(width) \(rows.count * scale)\n" + lines.joined(separator: "\n") + "\n"
    }

    private static func rows(ofText text: String) -> [[Bool]] {
        text.split(separator: "\n").flatMap { line in
            [
                line.map { $0 == " " || $0 == "▄" }, line.map { $0 == " " || $0 == "▀" },
            ]
        }
    }

    /// Draws each rectangle of the only dark path.
    private static func rows(ofSVG svg: String) -> [[Bool]] {
        let size = svg.firstMatch(of: #/viewBox="0 0 (\d+)/#).flatMap { Int($0.1) } ?? 0
        var rows = Array(repeating: Array(repeating: false, count: size), count: size)
        for run in svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-/) {
            guard let x = Int(run.1), let y = Int(run.2), let count = Int(run.3) else { continue }
            for x in x..<x + count { rows[y][x] = true }
        }
        return rows
    }
}
