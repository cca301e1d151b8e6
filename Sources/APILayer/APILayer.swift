@_exported public import APICore
