import Foundation

/// A place where prose breaks a rule of plain English.
package struct Finding: Sendable {
    package enum Kind: Sendable { case wording, longSentence }

    package let kind: Kind
    package let line: Int
    package let quote: String
    package let advice: String
}

/// The rules of CONTRIBUTING.md, "Plain English", as far as patterns can find a breach.
package enum PlainEnglish {
    package static let maximumWords = 25

    package static func findings(in passage: Passage) -> [Finding] {
        wordings(in: passage) + sentenceFindings(in: passage)
    }

    private static func wordings(in passage: Passage) -> [Finding] {
        let text = passage.text
        // Most passages have no breach, and one expression is faster than all rules.
        guard anyRule.firstMatch(in: text, range: Passage.range(of: text)) != nil else { return [] }
        return rules.flatMap { rule in
            rule.expression.matches(in: text, range: Passage.range(of: text)).map { match in
                Finding(
                    kind: .wording,
                    line: passage.line(at: match.range.location),
                    quote: (text as NSString).substring(with: match.range),
                    advice: rule.advice
                )
            }
        }
    }

    private static func sentenceFindings(in passage: Passage) -> [Finding] {
        passage.sentences.flatMap { offset, sentence -> [Finding] in
            var findings: [Finding] = []
            let line = passage.line(at: offset)
            let words = sentence.split(separator: " ").filter {
                $0.contains { $0.isLetter || $0.isNumber }
            }
            if words.count > maximumWords {
                findings.append(
                    Finding(
                        kind: .longSentence,
                        line: line,
                        quote: words.prefix(6).joined(separator: " ") + " …",
                        advice: "\(words.count) words: at most \(maximumWords)"
                    )
                )
            }
            let start = sentence.trimmingCharacters(in: .whitespaces)
            let found = front.firstMatch(in: start, range: Passage.range(of: start))
            if let found, !start.hasSuffix("?") {
                findings.append(
                    Finding(
                        kind: .wording,
                        line: line,
                        quote: (start as NSString).substring(with: found.range),
                        advice: "begin with the subject; name the noun"
                    )
                )
            }
            return findings
        }
    }

    /// How a sentence must not begin, unless it is a question.
    private static let front = expression(
        #"^[*_]*(What|Where|Who|Whose|(Of|By|To|For|In|From|With|On|Over) (which|whom)"#
            + #"|In (the )?place of) \w+ [^.?]{1,20}"#
    )

    private static let rules = patterns.map {
        (expression: expression(#"\b("# + $0.0 + #")\b"#, .caseInsensitive), advice: $0.advice)
    }

    private static let anyRule = expression(
        #"\b("# + patterns.map(\.0).joined(separator: "|") + #")\b"#,
        .caseInsensitive
    )

    private static let patterns: [(String, advice: String)] = [
        (
            #"nobody|somebody|anybody|everybody|whoever|whomever"#,
            "name the role, or use the passive"
        ),
        (#"(?<!\.)\b(he|him|his|himself)"#, "they, or the role"),
        (
            #"anew|afresh|seldom|thereby|thereof|therein|hitherto|henceforth|amongst|lest|in vain"#,
            "use a common word"
        ),
        (#"dear(ly|er|est)?"#, "expensive, costly"),
        (#"holes?"#, "vulnerability, gap"),
        (#"patience"#, "timeout"),
        (#"(?<!long-)standing|stands"#, "status; is, is written"),
        (#"beside"#, "next to, while, in addition to, compared with"),
        (#"(?<!at )(?<!at the )least(?! privilege)"#, "minimum, fewest, lowest"),
        (#"(?<!at )(?<!at the )most (digits|bytes|characters|seconds|that)"#, "maximum"),
        (#"tells?|told"#, "send, return, report, show, notify"),
        (#"says?|talks?|hears?|heard"#, "return, report, show, state, receive"),
        (#"learns?"#, "receive, detect, find out"),
        (
            // A person answers a question of a prompt.
            #"answer(s|ed|ing)?(?! (a|the) question)"#,
            "response or respond, result, refusal, decision, verdict"
        ),
        (#"asks|(is|are|was|were|be|been|being) asked"#, "request, call, prompt for, query"),
        (#"(?<!there )(is|are|was|were) no(?! longer)(?! more than)"#, "is not a"),
        (#"no more(?! than)|no more than that"#, "no longer; only"),
        (#"(not|cannot)\b[^.?!]{0,40}\bany (more|longer)(?! than)"#, "no longer"),
        (#"that which|those that|those who|one who"#, "name the noun"),
        (
            #"(of|to|by|from|in|with|for|than|and|or|on|over|behind|about|after|before) what"#,
            "name the noun"
        ),
    ]
}
