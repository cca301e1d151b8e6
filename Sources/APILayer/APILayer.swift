// The one import: the core, its JSON coding, and the few Foundation types that its public surface names.
@_exported public import APICore
@_exported public import JSONCoding

#if canImport(FoundationEssentials)
@_exported public import struct FoundationEssentials.Data
@_exported public import struct FoundationEssentials.Date
@_exported public import struct FoundationEssentials.URL
@_exported public import struct FoundationEssentials.URLQueryItem
@_exported public import struct FoundationEssentials.UUID
#else
@_exported public import struct Foundation.Data
@_exported public import struct Foundation.Date
@_exported public import struct Foundation.URL
@_exported public import struct Foundation.URLQueryItem
@_exported public import struct Foundation.UUID
#endif
