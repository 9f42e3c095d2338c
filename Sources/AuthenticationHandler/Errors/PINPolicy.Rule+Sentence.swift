import TransactionApproval

extension PINPolicy.Rule {
    /// The sentence for a PIN that can have a typing error; nil if only another PIN helps.
    func supportSentence(in language: Language) -> String? {
        switch (self, language) {
        case (.notDigits, .english): "A PIN has digits only; type it again."
        case (.notDigits, .german): "Eine PIN hat nur Ziffern; geben Sie sie erneut ein."
        case (.tooShort, .english): "The PIN has too few digits; check it, and type it again."
        case (.tooShort, .german):
            "Die PIN hat zu wenige Ziffern; prüfen Sie sie, und geben Sie sie erneut ein."
        case (.tooLong, .english): "The PIN has too many digits; check it, and type it again."
        case (.tooLong, .german):
            "Die PIN hat zu viele Ziffern; prüfen Sie sie, und geben Sie sie erneut ein."
        default: nil
        }
    }
}
