@_exported public import func PrivateFiles.awaiting
@_exported public import func PrivateFiles.translating
