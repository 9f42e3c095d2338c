/// Writes the text format of Prometheus, version 0.0.4.
struct MetricsText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    typealias Labels = KeyValuePairs<String, String>

    private(set) var text = ""

    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func add(_ name: String, _ value: some Number, _ labels: Labels = [:]) {
        text += "\(name)\(written(labels.map { ($0.key, $0.value) })) \(value.metricsText)\n"
    }

    mutating func add(_ name: String, _ histogram: Histogram, _ labels: Labels) {
        let labels = labels.map { ($0.key, $0.value) }
        for (bound, count) in histogram.cumulated {
            text += "\(name)_bucket\(written(labels + [("le", bound.metricsText)])) \(count)\n"
        }
        text += "\(name)_bucket\(written(labels + [("le", "+Inf")])) \(histogram.count)\n"
        text += "\(name)_sum\(written(labels)) \(histogram.sum.metricsText)\n"
        text += "\(name)_count\(written(labels)) \(histogram.count)\n"
    }

    private func written(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { name, value in "\(name)=\"\(escaped(value))\"" }
        return "{" + pairs.joined(separator: ",") + "}"
    }

    private func escaped(_ value: String) -> String {
        var escaped = ""
        for character in value {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}

extension MetricsText {
    protocol Number {
        var metricsText: String { get }
    }
}

extension UInt64: MetricsText.Number {
    var metricsText: String { description }
}

extension Int: MetricsText.Number {
    var metricsText: String { description }
}

extension Double: MetricsText.Number {
    var metricsText: String { self == rounded() ? String(Int64(self)) : description }
}
