extension FieldTable {
    /// The table as Markdown, for an auditor who holds it against the specification.
    package static func page() -> String {
        var lines = [
            "# Data elements of EMV 3-D Secure", "",
            "This page is generated from the table that the programs evaluate.",
            "It lists each data element by message and version.", "",
            "* **Form**: type, length in characters and permitted values.",
            "* **R** required, **O** optional, **C** required or refused by a condition.",
            "* **R if** required if the condition holds, otherwise optional.",
            "* **R** with a rule in words: code cannot evaluate it, so the element is optional.",
            "* **O if** optional if the condition holds, otherwise refused.",
            "* Without channels or categories, a rule holds for all of them.",
            "* A row with **†** is from memory and must be compared with the specification.",
            "* Members of objects follow their object, with a point before their name.", "",
            "Tables of version 2.1.0 were read for AReq, ARes, RReq and Erro only.",
            "The other messages of 2.1.0 have the rows of 2.2.0, without its known additions.",
        ]
        for type in MessageType.allCases {
            lines += ["", "## \(type.rawValue)", "", "| Element | Versions | Form | Inclusion |"]
            lines.append("| --- | --- | --- | --- |")
            for row in rows where row.uses.contains(where: { $0.messages.contains(type) }) {
                lines += row.lines(in: type, below: "", in: row.versions)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Field {
    fileprivate func lines(
        in type: MessageType,
        below path: String,
        in versions: ClosedRange<ProtocolVersion>
    ) -> [String] {
        // An object's row can have members that its version lacks.
        guard self.versions.overlaps(versions) else { return [] }
        let versions = self.versions.clamped(to: versions)
        let uses = uses.filter { $0.messages.isEmpty || $0.messages.contains(type) }
        let mark = source == .memory ? " †" : ""
        let cells = [
            "`\(path)\(name)`\(mark)", versions.words, form.words,
            uses.map(\.words).joined(separator: "; "),
        ]
        let line = "| \(cells.joined(separator: " | ")) |"
        return [line]
            + form.rows.flatMap { $0.lines(in: type, below: path + name + ".", in: versions) }
    }
}

extension ClosedRange<ProtocolVersion> {
    fileprivate var words: String {
        switch (lowerBound, upperBound) {
        case (.twoOne, .twoThree): "all"
        case (let first, .twoThree): "from \(first.rawValue)"
        case (.twoOne, let last): "to \(last.rawValue)"
        case (let first, let last):
            first == last ? first.rawValue : "\(first.rawValue) to \(last.rawValue)"
        }
    }
}

extension Use {
    fileprivate var words: String {
        var parts = [presence.words]
        if channels.count < DeviceChannel.allCases.count {
            parts.append(channels.map(\.words).joined(separator: ", "))
        }
        if categories.count < MessageCategory.allCases.count {
            parts.append(categories.map { $0 == .payment ? "01-PA" : "02-NPA" }.joined())
        }
        return parts.joined(separator: ", ")
    }
}

extension DeviceChannel {
    fileprivate var words: String {
        switch self {
        case .app: "01-APP"
        case .browser: "02-BRW"
        case .requestor: "03-3RI"
        }
    }
}

extension Presence {
    fileprivate var words: String {
        switch self {
        case .required: "R"
        case .optional: "O"
        case .conditional(let condition): "C: \(condition.words)"
        case .requiredIf(.rule(let words)): "R \(words)"
        case .requiredIf(let condition): "R if \(condition.words)"
        case .allowedIf(let condition): "O if \(condition.words)"
        }
    }
}
