import APILayer
import Testing
