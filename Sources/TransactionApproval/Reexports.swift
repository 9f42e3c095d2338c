@_exported public import enum Localization.Language
