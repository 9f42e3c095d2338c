import CommandLineTool
import SelfTest

struct SelfTestCommand: SelfTesting {
    static let vectors = VectorSet.approvals
    static var summary: String {
        localized(
            "Check the cryptography of this machine with published test vectors.",
            german: "Prüft die Kryptografie dieses Rechners mit veröffentlichten Testwerten."
        )
    }
    static var discussion: String {
        localized(
            """
            Without a file, it runs the built-in vectors: those of the standards for one-time
            passwords, keys and encodings, and malformed input that must be rejected.

            Vectors/README.md describes the file format. One malformed row rejects the whole file.
            Only the project's tests run the files in Vectors/Protocol.
            """,
            german: """
                Ohne Datei prüft der Befehl die eingebauten Testwerte. Sie stammen aus den Normen
                für Einmalcodes, Schlüssel und Kodierungen. Dazu kommen fehlerhafte Eingaben, die er
                zurückweisen muss.

                Vectors/README.md beschreibt das Dateiformat. Ist eine Zeile fehlerhaft, ist die
                ganze Datei ungültig. Nur die Tests des Projekts nutzen die Dateien in
                Vectors/Protocol.
                """
        )
    }

    @Argument(
        help: localized(
            "Vector files to run; - reads standard input.",
            german: "Dateien mit Testwerten; - liest die Standardeingabe."
        )
    )
    var files: [FilePath]
}
