/**
 * Searches every interleaving of revocations, requests and Redis faults for a request that accepts a revoked token
 * (decision 0001). The model has one customer, the owner's token epoch in Postgres, two Redis nodes and several gateways.
 * A request starts, learns the lowest valid epoch in the way of its design, and violates the promise if that is lower
 * than the last revocation that had returned before the request started.
 */

export interface Design {
  /** What a gateway does with an epoch that it found in Redis. */
  trustsRedis: 'to accept' | 'only to reject'
  /** What it does without one. `none`: takes the token as valid, as a deny list does. */
  onMiss: 'none' | 'ask the owner'
  /** How an epoch from the owner gets into Redis. `locked`: before the owner's row may change again. */
  fill: 'none' | 'set' | 'raise' | 'locked raise'
  /** Keys contain the run id of the Redis server, so what it had before a restart or a promotion is not found. */
  fenced: boolean
  /** Whether the owner reads a replica of its Postgres primary. */
  ownerReads: 'primary' | 'replica'
}

export const faults = ['flush', 'restart from snapshot', 'failover', 'split brain'] as const
export type Fault = (typeof faults)[number]

export interface Search {
  states: number
  /** The shortest sequence of steps that accepts a revoked token, or undefined if none exists. */
  violation: string[] | undefined
}

/** @param size how many revocations happen and how many gateways there are */
export function searchInterleavings(
  design: Design,
  possible: readonly Fault[],
  size: { revocations: number; gateways: number },
): Search {
  const start: State = {
    committed: 0,
    returned: 0,
    isWritten: true,
    replica: 0,
    nodes: [absent, absent],
    snapshot: absent,
    connections: Array.from({ length: size.gateways + 1 }, () => 0),
    requests: Array.from({ length: size.gateways }, () => idle),
  }
  const seen = new Map<number, Origin>([[encode(start), { from: 0, step: '' }]])
  let frontier = [start]
  while (frontier.length > 0) {
    const next: State[] = []
    for (const state of frontier) {
      const from = encode(state)
      for (const { step, to, breaks } of stepsFrom(state, design, possible, size.revocations)) {
        if (breaks) return { states: seen.size, violation: [...pathTo(from, seen), step] }
        const key = encode(to)
        if (seen.has(key)) continue
        seen.set(key, { from, step })
        next.push(to)
      }
    }
    frontier = next
  }
  return { states: seen.size, violation: undefined }
}

interface State {
  /** The epoch in Postgres, and the epoch of the last revocation that has returned. */
  committed: number
  returned: number
  /** Whether the revocation in progress has written to Redis. */
  isWritten: boolean
  /** The epoch on the replica of Postgres. */
  replica: number
  /** The epoch on each Redis node. */
  nodes: readonly number[]
  snapshot: number
  /** The Redis node that each gateway uses; the last one is the owner's. */
  connections: readonly number[]
  requests: readonly Request[]
}

/** `minimum` is the last epoch that had been returned when the request started, `epoch` what the owner said. */
type Request = { at: 'idle' } | { at: 'started' | 'missed'; minimum: number } | { at: 'filling'; epoch: number }

interface Step {
  step: string
  to: State
  breaks?: boolean
}

const absent = -1
const idle: Request = { at: 'idle' }

function* stepsFrom(state: State, design: Design, possible: readonly Fault[], revocations: number): Generator<Step> {
  yield* revocationSteps(state, design, revocations)
  for (const index of state.requests.keys()) yield* requestSteps(state, design, index)
  if (design.ownerReads === 'replica' && state.replica < state.committed) {
    yield { step: 'the Postgres replica catches up', to: { ...state, replica: state.committed } }
  }
  for (const fault of possible) yield* faultSteps(state, design, fault)
}

function* revocationSteps(state: State, { trustsRedis }: Design, revocations: number): Generator<Step> {
  const { committed, returned, isWritten, nodes, connections } = state
  if (committed === returned) {
    if (committed < revocations) {
      yield { step: 'revoke: commit', to: { ...state, committed: committed + 1, isWritten: false } }
    }
  } else if (!isWritten) {
    const node = connections.at(-1) ?? 0
    const raised = nodes.with(node, Math.max(nodes[node] ?? absent, committed))
    yield { step: 'revoke: write to Redis', to: { ...state, nodes: raised, isWritten: true } }
    // A design that accepts what Redis says must wait for this write.
    if (trustsRedis === 'only to reject') {
      yield { step: 'revoke: the write to Redis fails', to: { ...state, isWritten: true } }
    }
  } else {
    yield { step: 'revoke: return 204', to: { ...state, returned: committed } }
  }
}

function* requestSteps(state: State, design: Design, index: number): Generator<Step> {
  const request = state.requests[index] ?? idle
  const node = state.connections[index] ?? 0
  const found = state.nodes[node] ?? absent
  const name = `gateway ${index}`
  const become = (to: Request, nodes = state.nodes): State => ({
    ...state,
    nodes,
    requests: state.requests.with(index, to),
  })
  const fill = (epoch: number) =>
    state.nodes.with(node, design.fill === 'set' ? epoch : Math.max(state.nodes[node] ?? absent, epoch))
  switch (request.at) {
    case 'idle':
      yield { step: `${name}: request starts`, to: become({ at: 'started', minimum: state.returned }) }
      return
    case 'started':
      if (found !== absent && design.trustsRedis === 'to accept') {
        yield { step: `${name}: finds epoch ${found} in Redis`, to: become(idle), breaks: found < request.minimum }
      } else if (design.onMiss === 'none') {
        yield { step: `${name}: finds nothing in Redis`, to: become(idle), breaks: request.minimum > 0 }
      } else {
        yield { step: `${name}: finds nothing in Redis`, to: become({ ...request, at: 'missed' }) }
      }
      return
    case 'missed': {
      const epoch = design.ownerReads === 'replica' ? state.replica : state.committed
      const isFilledLater = design.fill === 'set' || design.fill === 'raise'
      const to = isFilledLater
        ? become({ at: 'filling', epoch })
        : become(idle, design.fill === 'none' ? state.nodes : fill(epoch))
      yield { step: `${name}: the owner says epoch ${epoch}`, to, breaks: epoch < request.minimum }
      return
    }
    case 'filling':
      yield { step: `${name}: writes epoch ${request.epoch} to Redis`, to: become(idle, fill(request.epoch)) }
  }
}

function* faultSteps(state: State, { fenced }: Design, fault: Fault): Generator<Step> {
  const { nodes, snapshot, connections } = state
  const promoted = fenced ? nodes.with(1, absent) : nodes
  const isPromoted = connections.includes(1)
  switch (fault) {
    case 'flush':
      for (const node of nodes.keys()) {
        yield { step: `Redis ${node} is flushed`, to: { ...state, nodes: nodes.with(node, absent) } }
      }
      return
    case 'restart from snapshot': {
      yield { step: 'Redis 0 writes a snapshot', to: { ...state, snapshot: nodes[0] ?? absent } }
      const restored = nodes.with(0, fenced ? absent : snapshot)
      yield { step: 'Redis 0 restarts from its snapshot', to: { ...state, nodes: restored } }
      return
    }
    case 'failover':
    case 'split brain': {
      if (isPromoted) return
      yield { step: 'Redis 1 copies Redis 0', to: { ...state, nodes: nodes.with(1, nodes[0] ?? absent) } }
      // In a split brain, the first gateway stays with the old primary.
      const moved = connections.map((_, index) => (fault === 'split brain' && index === 0 ? 0 : 1))
      yield { step: `Redis 1 becomes primary (${fault})`, to: { ...state, nodes: promoted, connections: moved } }
    }
  }
}

/** A number for each state: a string per state would cost most of the search's time. */
function encode({ committed, returned, isWritten, replica, nodes, snapshot, connections, requests }: State): number {
  let code = 0
  for (const epoch of [committed, returned, replica, snapshot, ...nodes]) code = code * 5 + epoch + 1
  for (const request of requests) {
    code = code * 20 + kinds.indexOf(request.at) * 5
    if (request.at !== 'idle') code += request.at === 'filling' ? request.epoch : request.minimum
  }
  for (const node of connections) code = code * 2 + node
  return code * 2 + (isWritten ? 1 : 0)
}

const kinds: readonly Request['at'][] = ['idle', 'started', 'missed', 'filling']

/** How the search first reached a state; the step is empty for the first state. */
interface Origin {
  from: number
  step: string
}

function pathTo(key: number, seen: ReadonlyMap<number, Origin>): string[] {
  const steps: string[] = []
  for (let at = seen.get(key); at?.step; at = seen.get(at.from)) steps.unshift(at.step)
  return steps
}
