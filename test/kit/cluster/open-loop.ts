import type { SeededRandom } from '@storekeep/common/testing'
import { createHttpClient, type HttpClient } from '../http-client.ts'
import { waitFor } from '../wait-for.ts'

/**
 * Sends requests at a fixed rate without waiting for responses, as many independent callers do. Latency counts from the
 * scheduled time of a request, so stalls are included.
 */
export function startOpenLoop({ url, perSecond, kinds, random }: OpenLoopOptions): OpenLoop {
  const http = createHttpClient(url, { maxSockets: 512 })
  const bag = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind))
  const outcomes: Outcome[] = []
  const open = new Set<Promise<void>>()
  const started = performance.now()
  let phase = 'warm-up'
  let sent = 0

  async function sendOne(kind: RequestKind, scheduled: number): Promise<void> {
    const outcome: Outcome = { kind, phase, marker: `m${random.seed}x${sent}`, ms: 0, failures: [], attempts: 0 }
    outcomes.push(outcome)
    do {
      outcome.attempts += 1
      const failure = await failureOf(http, kind, outcome.marker)
      if (failure === undefined) break
      outcome.failures.push(failure)
      await backOff(outcome.attempts)
    } while (kind.isKeyed && outcome.attempts < maxAttempts)
    outcome.ms = performance.now() - scheduled
  }

  const ticks = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
    for (; sent < due; sent += 1) {
      const one = sendOne(random.pick(bag), started + (sent / perSecond) * 1000)
      open.add(one)
      void one.finally(() => open.delete(one))
    }
  }, tickMs)

  return {
    seed: random.seed,
    outcomes,
    get sent() {
      return sent
    },
    get failures() {
      return outcomes.filter(({ failures }) => failures.length > 0).length
    },
    enter: (name) => {
      phase = name
    },
    async more(count) {
      const goal = sent + count
      const timeoutMs = (count / perSecond) * 1000 + spareMs
      await waitFor(`${count} more requests`, () => sent >= goal, { timeoutMs })
    },
    async stop() {
      clearInterval(ticks)
      await Promise.all(open)
      http.close()
    },
  }
}

/** Undefined for a successful response. */
async function failureOf(http: HttpClient, kind: RequestKind, marker: string): Promise<string | undefined> {
  const { method, path, ...input } = kind.make(marker)
  try {
    const { status, text, body } = await http.request(method, path, input)
    if (status >= 300) return `${status} ${text.slice(0, 300)}`
    const problem = kind.problemIn?.(body)
    return problem && `${wrongResponse}: ${problem}`
  } catch (error) {
    return String(error)
  }
}

/** Waits 100 ms, 200 ms and so on, up to a second. */
function backOff(attempts: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(1000, 100 * attempts)))
}

/** How a failure starts whose status was a success. */
export const wrongResponse = 'wrong response'

const tickMs = 5
const maxAttempts = 30
/** Added to the expected duration, because this process may be delayed. */
const spareMs = 30_000

interface OpenLoopOptions {
  url: string
  perSecond: number
  kinds: readonly RequestKind[]
  random: SeededRandom
}

export interface RequestKind {
  readonly name: string
  readonly isRead: boolean
  /** Carries an Idempotency-Key, so that it can be retried until it succeeds. */
  readonly isKeyed: boolean
  /** Relative frequency. */
  readonly weight: number
  /** Whether the created record contains the unique marker of the request, so that effects can be counted. */
  readonly isMarked: boolean
  make(marker: string): LoadRequest
  /** What is wrong with the body of a successful response. */
  problemIn?(body: unknown): string | undefined
}

export interface LoadRequest {
  method: string
  path: string
  headers: Record<string, string>
  json?: unknown
}

export interface Outcome {
  readonly kind: RequestKind
  /** The phase of the test in which it was sent. */
  readonly phase: string
  readonly marker: string
  /** Duration from its scheduled time to its last response. */
  ms: number
  /** The error of each failed attempt; empty if the first attempt succeeded. */
  readonly failures: string[]
  attempts: number
}

export interface OpenLoop {
  readonly seed: number
  readonly outcomes: readonly Outcome[]
  readonly sent: number
  /** The number of requests with at least one failed attempt so far. */
  readonly failures: number
  /** Names the phase that starts now. */
  enter(phase: string): void
  /** Resolves when `count` more requests have been sent. */
  more(count: number): Promise<void>
  /** Stops sending and resolves when no request is in flight. */
  stop(): Promise<void>
}
