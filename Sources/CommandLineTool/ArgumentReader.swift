/// Reads the words after a command's name, one at a time.
///
/// Parsing reads every word and then `finish`es; completion stops before the last word and looks
/// at what could follow. No failure quotes a value: it might be a PIN in the wrong place.
struct ArgumentReader: Sendable {
    let parameters: [ParameterSyntax]
    /// The values given for each parameter, by its name; none for a flag.
    private(set) var given: [String: [String]] = [:]
    /// The option whose value is the next word.
    private(set) var awaiting: ParameterSyntax?
    private(set) var optionsHaveEnded = false
    private var argumentCount = 0

    /// The argument that the next word would be.
    var nextArgument: ParameterSyntax? {
        let arguments = parameters.filter(\.isArgument)
        if argumentCount < arguments.count { return arguments[argumentCount] }
        return arguments.last.flatMap { $0.occurrence == .repeated ? $0 : nil }
    }

    init(_ command: any Command.Type) {
        parameters = command.syntaxes
    }

    mutating func read(_ word: String) throws(CommandFailure) {
        if let option = awaiting {
            try readValue(word, of: option)
        } else if optionsHaveEnded || !looksLikeOption(word) {
            try readArgument(word)
        } else if word == "--" {
            optionsHaveEnded = true
        } else {
            try readOption(word)
        }
    }

    /// Accepts that no more words come.
    func finish() throws(CommandFailure) {
        if let awaiting { throw CommandFailure(.usage, "\(awaiting.name) needs a value") }
        for parameter in parameters where parameter.occurrence == .required {
            guard given[parameter.name] != nil else {
                throw CommandFailure(.usage, "\(parameter.name) is missing")
            }
        }
    }

    private mutating func readValue(
        _ word: String,
        of option: ParameterSyntax
    ) throws(CommandFailure) {
        awaiting = nil
        guard !looksLikeOption(word) else {
            let hint = "a value that starts with - is written \(option.name)=-…"
            throw CommandFailure(.usage, "\(option.name) needs a value", hint: hint)
        }
        given[option.name, default: []].append(word)
    }

    private mutating func readArgument(_ word: String) throws(CommandFailure) {
        guard let argument = nextArgument else {
            throw CommandFailure(.usage, "there are too many arguments")
        }
        argumentCount += 1
        given[argument.name, default: []].append(word)
    }

    private mutating func readOption(_ word: String) throws(CommandFailure) {
        let (name, value) = splitAtEqualSign(word)
        guard let option = parameters.first(where: { $0.isSpelled(name) }) else {
            throw unknownOption(name)
        }
        guard option.occurrence == .repeated || given[option.name] == nil else {
            throw CommandFailure(.usage, "\(option.name) is given twice")
        }
        guard option.valueName != nil || value == nil else {
            throw CommandFailure(.usage, "\(option.name) takes no value")
        }
        given[option.name, default: []] += value.map { [$0] } ?? []
        if option.valueName != nil, value == nil { awaiting = option }
    }

    private func unknownOption(_ word: String) -> CommandFailure {
        // A value may stick to a short option: -p123456.
        let name = word.hasPrefix("--") ? word : String(word.prefix(2))
        let known = parameters.filter { !$0.isArgument }.map(\.name)
        return CommandFailure(
            .usage,
            "unknown option \(name)",
            hint: suggestion(for: name, among: known)
        )
    }
}

/// Tells options from values; `-` alone stands for standard input, a value.
func looksLikeOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

func splitAtEqualSign(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
}
