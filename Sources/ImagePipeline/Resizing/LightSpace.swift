/// In which space pixels are averaged.
public enum LightSpace: String, Sendable, Hashable, CaseIterable {
    /// In linear light, as a lens would blur: a fine black and white checker becomes the gray of half the light (188).
    case linear
    /// On the code values as they are, faster and what most programs do: the checker becomes 128, darker than it was.
    case gamma
}
