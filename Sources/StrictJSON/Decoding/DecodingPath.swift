/// The path from the document to one of its values.
indirect enum DecodingPath {
    case document
    case step(PathStep, after: DecodingPath)

    var steps: [PathStep] {
        switch self {
        case .document: []
        case .step(let step, let path): path.steps + [step]
        }
    }

    /// RFC 6901, section 3.
    var pointer: String {
        steps.map { "/" + pointerToken($0.stringValue) }.joined()
    }
}

/// Escapes the name of a member (RFC 6901, section 3).
func pointerToken(_ name: String) -> String {
    // By scalars: a character can contain one of these and a combining mark.
    name.unicodeScalars.map { scalar in
        switch scalar {
        case "~": "~0"
        case "/": "~1"
        default: String(scalar)
        }
    }.joined()
}

/// The name of a member or the index of an element.
struct PathStep: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: some CodingKey) {
        self.init(stringValue: key.stringValue)
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
