import CQREncode

/// A QR code (ISO/IEC 18004) for paper, a page or a terminal.
struct QRCode: Sendable {
    /// True for dark modules, row by row, including the quiet zone.
    private let rows: [[Bool]]

    private static let quietZone = 4

    /// Nil if the text is too long or contains U+0000.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        let quiet = Array(repeating: false, count: Self.quietZone)
        let empty = Array(repeating: false, count: width + 2 * Self.quietZone)
        let dark = (0..<width).map { row in
            quiet + (0..<width).map { code.pointee.data[row * width + $0] & 1 == 1 } + quiet
        }
        let margin = Array(repeating: empty, count: Self.quietZone)
        rows = margin + dark + margin
    }

    /// Two rows per line, light on dark as in most terminals.
    var text: String {
        stride(from: 0, to: rows.count, by: 2).map { index in
            let upper = rows[index]
            let lower = index + 1 < rows.count ? rows[index + 1] : upper.map { _ in true }
            return String(zip(upper, lower).map { Self.block(isDark: $0, $1) }) + "\n"
        }.joined()
    }

    private static func block(isDark upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (false, false): "█"
        case (false, true): "▀"
        case (true, false): "▄"
        case (true, true): " "
        }
    }

    /// One path, in which every run of dark modules is a rectangle.
    var svg: String {
        let size = rows.count
        let path = rows.enumerated().map { y, row in
            Self.runs(in: row).map { "M\($0.lowerBound) \(y)h\($0.count)v1h-\($0.count)z" }.joined()
        }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" \
            shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(size)v\(size)H0z"/>\
            <path d="\(path)"/></svg>

            """
    }

    private static func runs(in row: [Bool]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (x, isDark) in row.enumerated() where isDark {
            if let last = runs.last, last.upperBound == x {
                runs[runs.count - 1] = last.lowerBound..<x + 1
            } else {
                runs.append(x..<x + 1)
            }
        }
        return runs
    }
}
