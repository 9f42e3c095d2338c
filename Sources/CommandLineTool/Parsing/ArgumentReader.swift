/// Reads the words after the name of a command, one at a time.
///
/// Parsing reads every word and then calls `finish`. Completion stops before the last word and
/// looks at the state. No failure quotes a value: it may be a PIN in the wrong place.
struct ArgumentReader: Sendable {
    let parameters: [ParameterSyntax]
    /// The values of each parameter, by its name; an empty list for a flag.
    private(set) var given: [String: [String]] = [:]
    /// The option whose value is the next word.
    private(set) var awaiting: ParameterSyntax?
    private(set) var optionsHaveEnded = false
    private var argumentCount = 0

    /// The argument that the next word belongs to.
    var nextArgument: ParameterSyntax? {
        let arguments = parameters.filter(\.isArgument)
        if argumentCount < arguments.count { return arguments[argumentCount] }
        return arguments.last.flatMap { $0.occurrence == .repeated ? $0 : nil }
    }

    init(_ command: any Command.Type) {
        parameters = ParameterList.syntaxes(of: command)
    }

    /// The word after an unknown option may be its value.
    mutating func read(_ word: String, before next: String? = nil) throws(CommandFailure) {
        if let option = awaiting {
            try readValue(word, of: option)
        } else if optionsHaveEnded || !looksLikeOption(word) {
            try readArgument(word)
        } else if word == "--" {
            optionsHaveEnded = true
        } else {
            try readOption(word, before: next)
        }
    }

    /// Checks that the words are complete.
    func finish() throws(CommandFailure) {
        if let awaiting {
            throw CommandFailure(
                .usage,
                localized(
                    "\(awaiting.name) needs a value",
                    german: "\(awaiting.name) braucht einen Wert"
                )
            )
        }
        for parameter in parameters where parameter.occurrence == .required {
            guard given[parameter.name] != nil else {
                throw CommandFailure(
                    .usage,
                    localized("\(parameter.name) is missing", german: "\(parameter.name) fehlt")
                )
            }
        }
    }

    private mutating func readValue(
        _ word: String,
        of option: ParameterSyntax
    ) throws(CommandFailure) {
        awaiting = nil
        guard !looksLikeOption(word) else {
            let hint = localized(
                "if the value starts with -, write \(option.name)=-…",
                german: "wenn der Wert mit - beginnt, schreiben Sie \(option.name)=-…"
            )
            throw CommandFailure(
                .usage,
                localized(
                    "\(option.name) needs a value",
                    german: "\(option.name) braucht einen Wert"
                ),
                hint: hint
            )
        }
        given[option.name, default: []].append(word)
    }

    private mutating func readArgument(_ word: String) throws(CommandFailure) {
        guard let argument = nextArgument else {
            throw CommandFailure(
                .usage,
                localized("there are too many arguments", german: "es sind zu viele Argumente"),
                hint: secretHint(for: word)
            )
        }
        argumentCount += 1
        given[argument.name, default: []].append(word)
    }

    private mutating func readOption(
        _ word: String,
        before next: String?
    ) throws(CommandFailure) {
        let (name, value) = splitAtEqualSign(word)
        guard let option = parameters.first(where: { $0.isSpelled(name) }) else {
            throw unknownOption(name, with: value ?? next)
        }
        guard option.occurrence == .repeated || given[option.name] == nil else {
            throw CommandFailure(
                .usage,
                localized(
                    "\(option.name) is given twice",
                    german: "\(option.name) ist zweimal angegeben"
                )
            )
        }
        guard option.valueName != nil || value == nil else {
            throw CommandFailure(
                .usage,
                localized(
                    "\(option.name) takes no value",
                    german: "\(option.name) nimmt keinen Wert"
                ),
                hint: value.flatMap(secretHint(for:))
            )
        }
        given[option.name, default: []] += value.map { [$0] } ?? []
        if option.valueName != nil, value == nil { awaiting = option }
    }

    private func unknownOption(_ word: String, with value: String?) -> CommandFailure {
        // A short option may have a value attached: -p123456.
        let secret =
            value.flatMap(secretHint(for:)) ?? secretHint(for: String(word.drop { !$0.isNumber }))
        let name = word.hasPrefix("--") ? word : String(word.prefix(2))
        guard !name.contains(where: \.isNumber) else {
            return CommandFailure(
                .usage,
                localized("unknown option", german: "unbekannte Option"),
                hint: secret
            )
        }
        let known = parameters.filter { !$0.isArgument }.map(\.name)
        return CommandFailure(
            .usage,
            localized("unknown option \(name)", german: "unbekannte Option \(name)"),
            hint: secret ?? suggestion(for: name, among: known)
        )
    }
}

/// A hint if the word could be a PIN, a code or a card number in the wrong place; otherwise nil.
package func secretHint(for word: String) -> String? {
    guard word.count(where: \.isNumber) >= 4, !word.contains(where: \.isLetter) else {
        return nil
    }
    return localized(
        "if it was a PIN or a card number, delete it from the history of the shell",
        german: "war es eine PIN oder Kartennummer, löschen Sie sie aus dem Verlauf der Shell"
    )
}

/// A single `-` is a value: standard input.
func looksLikeOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

func splitAtEqualSign(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let sign = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
}
