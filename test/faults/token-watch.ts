import { setTimeout as pause } from 'node:timers/promises'
import { backOff, type HttpClient, type HttpResponse, type SeededRandom, type TestStore } from '@storekeep/test/kit'

/**
 * Probes several gateways with customer tokens during faults and collects every violation of two guarantees:
 *
 * - a request that starts after the 204 of a revocation never returns 200;
 * - a valid token never gets 401 or 403 during any outage.
 */
export function createTokenWatch(store: TestStore, gateways: readonly HttpClient[], random: SeededRandom): TokenWatch {
  const shops = gateways.map((http) => store.through(http))
  const valid: WatchedToken[] = []
  const revoked: WatchedToken[] = []
  const violations: string[] = []
  const counts = { probes: 0, accepted: 0, rejected: 0, unavailable: 0, broken: 0 }
  let phase = 'start'
  let probesBefore = 0

  async function probe(watched: WatchedToken, gateway: number): Promise<number> {
    const shop = shops[gateway] ?? store
    const startedAt = performance.now()
    // A token is valid for this probe if its revocation had not begun before the response.
    const response = await shop.shop('GET', '/store/customer', { token: watched.token }).catch(() => undefined)
    counts.probes += 1
    if (response === undefined) counts.broken += 1
    else judge(response, watched, startedAt, gateway)
    return response?.status ?? 0
  }

  function judge(response: HttpResponse, watched: WatchedToken, startedAt: number, gateway: number): void {
    if (response.status === 200) counts.accepted += 1
    else if (response.status === 401) counts.rejected += 1
    else if (response.status === 503) counts.unavailable += 1
    const at = `${phase}, gateway ${gateway}`
    if (response.status === 200 && watched.revokedAt !== undefined && startedAt > watched.revokedAt) {
      violations.push(`${at}: accepted ${Math.round(startedAt - watched.revokedAt)} ms after the 204`)
    } else if (response.status !== 200 && response.status !== 503 && watched.revocationBegunAt === undefined) {
      violations.push(`${at}: returned ${response.status} for a valid token: ${response.text}`)
    } else if (response.status === 503 && response.headers['retry-after'] === undefined) {
      violations.push(`${at}: returned 503 without Retry-After`)
    } else if (![200, 401, 503].includes(response.status)) {
      violations.push(`${at}: returned ${response.status}: ${response.text}`)
    }
  }

  async function newToken(): Promise<WatchedToken> {
    const name = `watched-${random.below(2 ** 31)}`
    const customer = await untilSuccessful(() => store.post<{ id: string }>('/customers', { name }))
    const customerId = customer.body.id
    const minted = await untilSuccessful(() => store.post<{ token: string }>(`/customers/${customerId}/tokens`))
    return { customerId, token: minted.body.token }
  }

  async function revoke(watched: WatchedToken): Promise<void> {
    watched.revocationBegunAt = performance.now()
    await untilSuccessful(() => random.pick(shops).delete(`/customers/${watched.customerId}/tokens`))
    watched.revokedAt = performance.now()
    revoked.push(watched)
  }

  return {
    counts,
    violations,
    enter: (name) => {
      phase = name
      probesBefore = counts.probes
    },
    probesInPhase: () => counts.probes - probesBefore,
    probe,
    addValid: async (count) => {
      for (let index = 0; index < count; index++) valid.push(await newToken())
    },
    async revokeOne({ during, between } = {}) {
      const watched = await newToken()
      // Every gateway accepts the token first, so that any cache would have it.
      await Promise.all(shops.map((_, gateway) => probe(watched, gateway)))
      await Promise.all([revoke(watched), during?.()])
      await Promise.all(shops.map((_, gateway) => probe(watched, gateway)))
      await between?.()
      await Promise.all(shops.flatMap((_, gateway) => [probe(watched, gateway), probe(watched, gateway)]))
    },
    async keepProbing(isOver, everyMs = 0) {
      for (; !isOver(); await pause(everyMs)) {
        const gateway = random.below(shops.length)
        // Half of the probes use recently revoked tokens.
        const recent = revoked.at(-1 - random.below(8)) ?? random.pick(valid)
        const status = await probe(random.below(2) === 0 ? random.pick(valid) : recent, gateway)
        if (status !== 200 && status !== 401) await backOff()
      }
    },
  }
}

/** Retries while the response is 503. */
async function untilSuccessful<Body>(call: () => Promise<HttpResponse<Body>>): Promise<HttpResponse<Body>> {
  for (;;) {
    const response = await call()
    if (response.status < 300) return response
    if (response.status !== 503) throw new Error(`${response.method} ${response.path} returned ${response.status}`)
    await backOff()
  }
}

interface WatchedToken {
  customerId: string
  token: string
  /** When the first DELETE was sent. From then on both responses are correct. */
  revocationBegunAt?: number
  /** When the 204 arrived. From then on only 401 is correct. */
  revokedAt?: number
}

export interface TokenWatch {
  readonly counts: { probes: number; accepted: number; rejected: number; unavailable: number; broken: number }
  readonly violations: readonly string[]
  /** Names the current phase in violations. */
  enter(phase: string): void
  probesInPhase(): number
  probe(watched: WatchedToken, gateway: number): Promise<number>
  /** Adds tokens that are never revoked. */
  addValid(count: number): Promise<void>
  /**
   * Creates a customer, probes all gateways with its token, revokes it while `during` runs, and probes all gateways before
   * and after `between`.
   */
  revokeOne(disturbance?: { during?: () => Promise<unknown>; between?: () => Promise<unknown> }): Promise<void>
  /** Probes random gateways with random tokens until `isOver`, with a pause of `everyMs` in between. */
  keepProbing(isOver: () => boolean, everyMs?: number): Promise<void>
}
