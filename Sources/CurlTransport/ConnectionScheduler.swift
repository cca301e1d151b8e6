/// Decides when a request may have a connection: limits per origin and in all, and who comes next. Pure.
///
/// libcurl has limits too, but counts the time in its queue as time to connect, and wakes one request at a time. Here a
/// waiting request costs nothing, and a burst to an origin whose protocol is not known yet sends one request ahead: if
/// it finds HTTP/2, the others share its connection instead of making one each.
struct ConnectionScheduler<Ticket> {
    /// What is known about an origin's protocol.
    enum Knowledge: Sendable, Hashable {
        case unknown
        /// One request at a time and connection.
        case exclusive
        /// Many requests over one connection.
        case multiplexed
    }

    struct Limits: Sendable {
        var connectionsPerHost: Int
        var streamsPerHost: Int
        var connections: Int
    }

    /// An origin with requests under way. A reference: taken out of the dictionary and put back, a value's queues would
    /// be copied for every request.
    private final class Host {
        var knowledge: Knowledge
        var active = 0
        /// The waiting by priority, the most urgent first.
        var waiting: [Queue<Ticket>] = [Queue(), Queue(), Queue()]

        init(_ knowledge: Knowledge) {
            self.knowledge = knowledge
        }

        var waitingCount: Int { waiting[0].count + waiting[1].count + waiting[2].count }

        /// How many connections it has, as far as can be told from outside.
        var connections: Int { knowledge == .multiplexed ? min(active, 1) : active }

        func limit(_ limits: Limits) -> Int {
            switch knowledge {
            case .unknown: 1
            case .exclusive: limits.connectionsPerHost
            case .multiplexed: limits.streamsPerHost
            }
        }

        func next() -> Ticket? {
            for index in waiting.indices {
                if let ticket = waiting[index].popFirst() { return ticket }
            }
            return nil
        }
    }

    private var hosts: [Int: Host] = [:]
    private var connections = 0
    /// Hosts that could go on if it were not for the limit in all, in the order they came.
    private var starved: Queue<Int> = Queue()
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    /// The number of requests that have a connection.
    var activeCount: Int { hosts.values.reduce(0) { $0 + $1.active } }
    /// The number of requests that wait.
    var waitingCount: Int { hosts.values.reduce(0) { $0 + $1.waitingCount } }

    /// A request wants a connection. Whether it may have it at once; else it waits.
    ///
    /// - Parameter priority: 0 for the most urgent, 2 for the least.
    mutating func request(_ ticket: Ticket, host: Int, knowledge: Knowledge, priority: Int) -> Bool {
        let entry = hosts[host] ?? add(host, knowledge)
        guard entry.waitingCount == 0, hasRoom(entry, host) else {
            entry.waiting[min(max(priority, 0), 2)].append(ticket)
            return false
        }
        occupy(entry)
        return true
    }

    /// A request has given back its connection. Who may have one now.
    ///
    /// Whoever is returned counts as having one: an abandoned ticket is given back like a used one.
    mutating func release(host: Int, into ready: inout [Ticket]) {
        guard let entry = hosts[host], entry.active > 0 else { return }
        let before = entry.connections
        entry.active -= 1
        connections += entry.connections - before
        admit(host, &ready)
        while connections < limits.connections, let other = starved.popFirst() { admit(other, &ready) }
        if entry.active == 0, entry.waitingCount == 0 { hosts[host] = nil }
    }

    private mutating func add(_ host: Int, _ knowledge: Knowledge) -> Host {
        let entry = Host(knowledge)
        hosts[host] = entry
        return entry
    }

    /// The protocol of an origin became known. Who may have a connection now.
    mutating func learn(_ knowledge: Knowledge, host: Int, into ready: inout [Ticket]) {
        guard let entry = hosts[host], entry.knowledge != knowledge else { return }
        let before = entry.connections
        entry.knowledge = knowledge
        connections += entry.connections - before
        admit(host, &ready)
    }

    private mutating func admit(_ host: Int, _ ready: inout [Ticket]) {
        guard let entry = hosts[host] else { return }
        while entry.waitingCount > 0, hasRoom(entry, host), let ticket = entry.next() {
            occupy(entry)
            ready.append(ticket)
        }
    }

    private mutating func occupy(_ entry: Host) {
        let before = entry.connections
        entry.active += 1
        connections += entry.connections - before
    }

    private mutating func hasRoom(_ entry: Host, _ host: Int) -> Bool {
        guard entry.active < max(entry.limit(limits), 1) else { return false }
        let needsConnection = entry.knowledge != .multiplexed || entry.active == 0
        guard !needsConnection || connections < max(limits.connections, 1) else {
            starved.append(host)
            return false
        }
        return true
    }
}

/// First in, first out, without moving elements.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head > 1024, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
