import TransactionApproval

extension FinalState {
    func supportSentence(in language: Language) -> String {
        switch (self, language) {
        case (.approved, .english):
            "This request was approved before; call the bank if you did not approve it."
        case (.approved, .german):
            """
            Dieser Auftrag wurde schon freigegeben; rufen Sie die Bank an, wenn Sie ihn nicht \
            freigegeben haben.
            """
        case (.rejected, .english):
            "This request was rejected before; start again where it was made if you need it."
        case (.rejected, .german):
            """
            Dieser Auftrag wurde schon abgelehnt; beginnen Sie dort neu, wo er entstand, falls Sie \
            ihn brauchen.
            """
        case (.withdrawn, .english):
            "The bank withdrew this request; start again where it was made."
        case (.withdrawn, .german):
            "Die Bank hat diesen Auftrag zurückgezogen; beginnen Sie dort neu, wo er entstand."
        case (.void, .english):
            "This request is no longer valid; start again where it was made."
        case (.void, .german):
            "Dieser Auftrag ist nicht mehr gültig; beginnen Sie dort neu, wo er entstand."
        }
    }
}
