/// Writes the text format of Prometheus, version 0.0.4.
package struct MetricsText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    package mutating func add(
        _ name: String,
        _ help: String,
        by labels: [String],
        _ counters: [[String]: UInt64]
    ) {
        begin(name, "counter", help)
        for (values, count) in sorted(counters) { add(name, zip(labels, values), "\(count)") }
    }

    package mutating func add(
        _ name: String,
        _ help: String,
        by labels: [String],
        _ histograms: [[String]: Histogram]
    ) {
        begin(name, "histogram", help)
        for (values, histogram) in sorted(histograms) {
            for (bound, count) in histogram.cumulated {
                add(name + "_bucket", zip(labels + ["le"], values + [text(of: bound)]), "\(count)")
            }
            let count = "\(histogram.count)"
            add(name + "_bucket", zip(labels + ["le"], values + ["+Inf"]), count)
            add(name + "_sum", zip(labels, values), text(of: histogram.sum))
            add(name + "_count", zip(labels, values), count)
        }
    }

    /// A value that is read when it is needed.
    package struct Reading: Sendable {
        package enum Kind: String, Sendable { case gauge, counter }

        let name: String
        let kind: Kind
        let help: String
        let values: [(label: String, value: Int)]
        let label: String

        package init(
            _ name: String,
            as kind: Kind = .gauge,
            _ help: String,
            by label: String,
            _ values: [(label: String, value: Int)]
        ) {
            self.name = name
            self.kind = kind
            self.help = help
            self.label = label
            self.values = values
        }
    }

    package mutating func add(_ reading: Reading) {
        begin(reading.name, reading.kind.rawValue, reading.help)
        for (value, count) in reading.values {
            add(reading.name, zip([reading.label], [value]), "\(count)")
        }
    }

    private mutating func begin(_ name: String, _ kind: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    private mutating func add(
        _ name: String,
        _ labels: Zip2Sequence<[String], [String]>,
        _ value: String
    ) {
        let pairs = labels.map { name, value in "\(name)=\"\(escaped(value))\"" }
        text += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }

    private func sorted<Value>(_ values: [[String]: Value]) -> [([String], Value)] {
        values.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    private func text(of number: Double) -> String {
        number == number.rounded() ? String(Int64(number)) : number.description
    }

    private func escaped(_ value: String) -> String {
        value.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(character)
            }
        }
        .joined()
    }
}
