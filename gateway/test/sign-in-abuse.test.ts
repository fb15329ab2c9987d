import { requireEnv } from '@storekeep/common/testing'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { newKeyPrefix, useGateway } from './harness.ts'
import { newId } from './ids.ts'
import { createRedisGate } from './redis-gate.ts'

const gate = await createRedisGate(requireEnv('TEST_REDIS_URL'))
afterEach(() => gate.set('open'))
afterAll(() => gate.close())

const quotas = { address: 20, name: 12, store: 40 }
const settings = {
  REDIS_URL: gate.url,
  TRUSTED_PROXIES: '127.0.0.0/8',
  RATE_LIMIT_REPLICAS: '2',
  RATE_LIMIT_SIGN_IN_ADDRESS_PER_MINUTE: String(quotas.address),
  RATE_LIMIT_SIGN_IN_NAME_PER_MINUTE: String(quotas.name),
  RATE_LIMIT_SIGN_IN_STORE_PER_MINUTE: String(quotas.store),
}
const options = { keyPrefix: newKeyPrefix() }
const replicas = [useGateway(settings, options), useGateway(settings, options)]

let next = 0
const unique = {
  store: newId,
  name: () => `Name_${++next}`,
  address: () => `203.0.${Math.floor(++next / 250)}.${(next % 250) + 1}`,
}

/** Goal 15. The clocks of the gateways stand still, so that each test is one window even on a slow machine. */
describe.each(['address', 'name', 'store'] as const)('sign-ins of one %s through two gateways', (subject) => {
  const quota = quotas[subject]

  /** Sends sign-ins that have only the subject in common. @returns how many were accepted */
  function abuse() {
    const shared = unique[subject]()
    // Names are counted separately for each store.
    const store = subject === 'name' ? unique.store() : undefined
    const of = (part: keyof typeof unique) => (part === subject ? shared : unique[part]())
    return async (count: number): Promise<number> => {
      let accepted = 0
      for (let sent = 0; sent < count; sent += 1) {
        const { status, text } = await replicaAt(sent).request('POST', '/v1/store/customer/auth', {
          json: { platform: 'minecraft', id: of('name') },
          headers: { 'x-service-store-id': store ?? of('store'), 'x-forwarded-for': of('address') },
        })
        expect([200, 429], text).toContain(status)
        if (status === 200) accepted += 1
      }
      return accepted
    }
  }

  it.each<[string, Phase[]]>([
    ['with Redis', [['open', 2]]],
    [
      'when Redis fails in mid-window',
      [
        ['open', 1 / 2],
        ['cut', 2],
      ],
    ],
    [
      'when Redis fails and returns in mid-window',
      [
        ['open', 1 / 2],
        ['cut', 1 / 4],
        ['open', 2],
      ],
    ],
  ])('are accepted up to the policy %s', async (_what, phases) => {
    const send = abuse()
    for (const { clock } of replicas) clock.stop()
    let accepted = 0
    for (const [state, share] of phases) {
      gate.set(state)
      if (state === 'open') await untilConnected()
      accepted += await send(share * quota)
    }
    expect(accepted).toBeLessThanOrEqual(1.05 * quota)
    expect(accepted).toBeGreaterThanOrEqual(0.75 * quota)
  })
})

/** The state of Redis, and the sign-ins sent in it as a multiple of the quota. */
type Phase = ['open' | 'cut', number]

async function untilConnected(): Promise<void> {
  for (const { request } of replicas) {
    await vi.waitFor(
      async () => expect((await request('GET', '/metrics')).text).toMatch(/^redis_connected\{.*\} 1$/m),
      30_000,
    )
  }
}

function replicaAt(index: number) {
  const replica = replicas[index % replicas.length]
  if (!replica) throw new RangeError('There is no such replica.')
  return replica
}
