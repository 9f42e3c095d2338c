/// "did you mean …?", if one of `names` is within two typing errors of `word`.
func suggestion(for word: String, among names: [String]) -> String? {
    let distances = names.map { (name: $0, distance: editDistance(word, $0)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 2
    else { return nil }
    return localized("did you mean \(nearest.name)?", german: "meinten Sie \(nearest.name)?")
}

/// The number of letters to insert, delete or replace (Levenshtein distance).
private func editDistance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (leftIndex, leftLetter) in left.enumerated() {
        let above = row
        row[0] = leftIndex + 1
        for (index, letter) in right.enumerated() {
            let replaced = above[index] + (letter == leftLetter ? 0 : 1)
            row[index + 1] = min(replaced, above[index + 1] + 1, row[index] + 1)
        }
    }
    return row[right.count]
}
