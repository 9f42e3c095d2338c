/// The probability in sentences, for a person who decides about a policy without formulas.
extension GuessProbability {
    /// The ceiling itself.
    package static let ceilingSentence =
        "Of \(grouped(minimumPopulation)) stolen devices whose thief guesses until the first lock, "
        + "at most \(grouped(count(defaultCeiling, of: minimumPopulation))) may open."

    /// The likelier attack, compared with the ceiling.
    package func sentence(ceiling: Double = defaultCeiling) -> String {
        let population = population(ceiling: ceiling)
        let attack =
            stranger > thief
            ? "devices whose codes a stranger guesses" : "stolen devices whose thief guesses"
        let limit = Self.grouped(Self.count(ceiling, of: population))
        return "Of \(Self.grouped(population)) \(attack) until the first lock, "
            + "\(Self.opening(maximum, of: population)); the maximum is \(limit)."
    }

    /// The thief who continues after each lock that ends.
    package var sentenceUntilBlock: String {
        let population = population(ceiling: Self.defaultCeiling)
        return "Of \(Self.grouped(population)) stolen devices whose thief guesses until the "
            + "permanent lock, \(Self.opening(thiefUntilBlock, of: population))."
    }

    /// The accounts behind one PIN (SEC-108).
    package static let sharingSentence =
        "All accounts of one installation at this enterprise share these guesses; each other "
        + "enterprise or verifier with the same PIN adds its own."

    private static let minimumPopulation = 10_000
    /// No policy needs more: the longest codes have eight digits.
    private static let maximumPopulation = 1_000_000_000

    /// The smallest population that rounds the number by at most a tenth, and never to the maximum
    /// if the probability is above the ceiling.
    private func population(ceiling: Double) -> Int {
        var population = Self.minimumPopulation
        while population < Self.maximumPopulation {
            let (exact, count) = (
                maximum * Double(population), Self.count(maximum, of: population)
            )
            let isAbove = count > Self.count(ceiling, of: population)
            let isClose = abs(exact - Double(count)) <= exact / 10
            if isClose, isAbove == (maximum > ceiling) { break }
            population *= 10
        }
        return population
    }

    private static func count(_ probability: Double, of population: Int) -> Int {
        Int((probability * Double(population)).rounded())
    }

    private static func opening(_ probability: Double, of population: Int) -> String {
        let count = count(probability, of: population)
        return "about \(grouped(count)) \(count == 1 ? "opens" : "open")"
    }

    /// With commas between thousands.
    private static func grouped(_ number: Int) -> String {
        guard number >= 1000 else { return String(number) }
        return "\(grouped(number / 1000)),\(String(1000 + number % 1000).dropFirst())"
    }
}
