func benchThumbnail(arguments: [String]) -> Int32 { 0 }
