@_exported public import APICore
@_exported public import JSONCoding
