@_exported public import enum Cryptography.SystemFailure
