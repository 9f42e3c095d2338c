import Foundation

/// The measured costs of a benchmark, and whether it meets its target.
struct Outcome {
    struct Costs {
        let median: Double
        let minimum: Double

        init(_ samples: [Double]) {
            let sorted = samples.sorted()
            median = sorted[sorted.count / 2]
            minimum = sorted[0]
        }
    }

    let name: String
    let unit: String
    let ours: Costs
    let reference: Costs
    /// Our cost divided by the reference's cost; the inverse if the target is "times faster".
    let ratio: Double
    let target: String?
    let isMet: Bool

    init(of benchmark: Benchmark, pairs: [Benchmark.Pair]) {
        name = benchmark.name
        unit = benchmark.unit
        ours = Costs(pairs.map(\.ours))
        reference = Costs(pairs.map(\.reference))
        let cost =
            switch benchmark.statistic {
            case .quietPairs: Self.quietRatio(pairs)
            case .medians: ours.median / reference.median
            case .minima: ours.minimum / reference.minimum
            }
        switch benchmark.target {
        case .atMost(let maximum):
            (ratio, target, isMet) = (
                cost, String(format: "at most %.2f times", maximum), cost <= maximum
            )
        case .timesFaster(let minimum):
            (ratio, target, isMet) = (
                1 / cost, String(format: "at least %.2f times faster", minimum), 1 / cost >= minimum
            )
        case .some(.none): (ratio, target, isMet) = (cost, "none", cost == 0)
        case nil: (ratio, target, isMet) = (cost, nil, true)
        }
    }

    private static func quietRatio(_ pairs: [Benchmark.Pair]) -> Double {
        let quiet = pairs.sorted { $0.ours + $0.reference < $1.ours + $1.reference }
            .prefix((pairs.count + 4) / 5)
        return Costs(quiet.map { $0.ours / $0.reference }).median
    }
}

extension Outcome: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, ours, reference, unit, ratio, target, met
        case oursMinimum = "ours_minimum"
        case referenceMinimum = "reference_minimum"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(ours.median, forKey: .ours)
        try container.encode(ours.minimum, forKey: .oursMinimum)
        try container.encode(reference.median, forKey: .reference)
        try container.encode(reference.minimum, forKey: .referenceMinimum)
        try container.encode(unit, forKey: .unit)
        try container.encode(ratio, forKey: .ratio)
        try container.encode(target, forKey: .target)
        try container.encode(isMet, forKey: .met)
    }
}
