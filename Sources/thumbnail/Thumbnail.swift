@main
struct ThumbnailTool {
    static func main() {}
}
