@_exported public import Transactions

@_exported public import enum Localization.Language
