import APITesting
import Testing

@Suite struct ManualClockTests {}
