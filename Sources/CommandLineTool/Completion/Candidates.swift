/// The possible completions at the cursor.
package enum Candidates: Equatable, Sendable {
    case files
    case words([Candidate])

    package static let none = Candidates.words([])

    func beginning(with prefix: String) -> Candidates {
        guard case .words(let words) = self else { return self }
        return .words(words.filter { $0.word.hasPrefix(prefix) })
    }
}

package struct Candidate: Equatable, Sendable {
    let word: String
    var summary = ""
}

extension Program {
    /// The completions of the last word or, in `--name=value`, of the value.
    func candidates(completing words: [String]) -> Candidates {
        let before = Array(words.dropLast())
        let last = words.last ?? ""
        guard let command = commandType(leading: before) else {
            return Candidates.words(names(after: before)).beginning(with: last)
        }
        if command is Help.Type {
            return Candidates.words(pages(after: before.dropFirst())).beginning(with: last)
        }
        var reader = ArgumentReader(command)
        // An error in an earlier word is reported when the line is run.
        for word in before.dropFirst(command.words.count) { try? reader.read(word) }
        return reader.candidates(completing: last)
    }

    private func pages(after topic: some Collection<String>) -> [Candidate] {
        let pages = topics.map { Candidate(word: $0.name, summary: $0.summary) }
        return names(after: topic) + (topic.isEmpty ? pages : [])
    }

    private func names(after topic: some Collection<String>) -> [Candidate] {
        var names: [Candidate] = []
        for command in commands(below: topic) {
            let word = command.words[topic.count]
            let isWhole = command.words.count == topic.count + 1
            guard !names.contains(where: { $0.word == word }) else { continue }
            names.append(Candidate(word: word, summary: isWhole ? command.summary : ""))
        }
        return names
    }
}

extension ArgumentReader {
    fileprivate func candidates(completing word: String) -> Candidates {
        if let awaiting { return awaiting.candidates.beginning(with: word) }
        guard !optionsHaveEnded, word.hasPrefix("-") else {
            return (nextArgument?.candidates ?? .none).beginning(with: word)
        }
        let (name, value) = splitAtEqualSign(word)
        if let value {
            let option = parameters.first { $0.isSpelled(name) }
            return (option?.candidates ?? .none).beginning(with: value)
        }
        let options = parameters.filter {
            !$0.isArgument && ($0.occurrence == .repeated || given[$0.name] == nil)
        }
        return .words(options.map { Candidate(word: $0.name, summary: $0.help) })
            .beginning(with: word)
    }
}
