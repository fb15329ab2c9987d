import { setTimeout as sleep } from 'node:timers/promises'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call } from '@storekeep/common/grpc'
import { describe, expect, it, vi } from 'vitest'
import { type TestGameServer, useGateway } from './harness.ts'

const maxConcurrent = 2
const timeoutMs = 15_000
const gateway = useGateway({
  TRUSTED_PROXIES: '127.0.0.0/8',
  MAX_CONNECTIONS_PER_ADDRESS: String(maxConcurrent),
  REQUEST_TIMEOUT_MS: String(timeoutMs),
})
const fromOneAddress = { 'x-forwarded-for': '203.0.113.9' }
const command = { attemptId: '7', command: 'say hi', queuedAt: timestampFromDate(new Date(0)) }

/** Makes the delivery service hold every poll that waits until a command is released, or for as long as the gateway allows. */
function holdPolls() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held: Call[] = []
  gateway.services.overrides.pollCommands = async ({ waitMs }: { waitMs: number }, call: Call) => {
    if (waitMs === 0) return { commands: [] }
    held.push(call)
    const isReleased = await Promise.race([released.then(() => true), sleep(waitMs, false, { signal: call.signal })])
    return { commands: isReleased ? [command] : [] }
  }
  return { held, release }
}

/** Long enough for a busy machine. */
const waitFor = (check: () => void) => vi.waitFor(check, 30_000)

function wait(server: TestGameServer, seconds: number, input = {}) {
  return server.send('POST', '/command-queue', { headers: { prefer: `wait=${seconds}`, ...fromOneAddress }, ...input })
}

describe('a poll that prefers to wait', () => {
  it('returns as soon as a command is due', async () => {
    const { held, release } = holdPolls()
    const poll = wait(gateway.newGameServer(), 30)
    await waitFor(() => expect(held).toHaveLength(1))
    release()
    const response = await poll
    expect(response.body).toMatchObject([{ attempt_id: '7' }])
    expect(response.headers['preference-applied']).toBe('wait=30')
  })

  it('has more time than the limit of requests', async () => {
    const { held, release } = holdPolls()
    const poll = wait(gateway.newGameServer(), 30)
    await waitFor(() => expect(held).toHaveLength(1))
    expect(held[0]?.remainingMs()).toBeGreaterThan(timeoutMs)
    release()
    await poll
  })

  it('has only that time without the preference (negative control)', async () => {
    await gateway.newGameServer().send('POST', '/command-queue')
    expect(gateway.services.calls.at(-1)?.call.remainingMs()).toBeLessThanOrEqual(timeoutMs)
  })

  it('returns an empty list at the end', async () => {
    holdPolls()
    const response = await wait(gateway.newGameServer(), 1)
    expect([response.status, response.body]).toEqual([200, []])
  })

  it.each(['wait=abc', 'wait=0', 'return=minimal', ''])('does not wait with the header "%s"', async (prefer) => {
    const response = await gateway.newGameServer().send('GET', '/command-queue', { headers: { prefer } })
    expect(response.headers).not.toHaveProperty('preference-applied')
    expect(gateway.received()).toMatchObject({ waitMs: 0 })
  })

  it('waits for at most 30 seconds, 10 at a time', async () => {
    const { held, release } = holdPolls()
    const poll = wait(gateway.newGameServer(), 4_000)
    await waitFor(() => expect(held).toHaveLength(1))
    expect(gateway.received()).toMatchObject({ waitMs: 10_000 })
    release()
    expect((await poll).headers['preference-applied']).toBe('wait=30')
  })

  it('polls again if the service ends its call early', async () => {
    const responses = [[], [], [command]]
    gateway.services.overrides.pollCommands = async () => ({ commands: responses.shift() ?? [] })
    expect((await wait(gateway.newGameServer(), 30)).body).toMatchObject([{ attempt_id: '7' }])
    expect(responses).toEqual([])
  })

  it('cancels its call when the caller disconnects', async () => {
    const { held } = holdPolls()
    const controller = new AbortController()
    const poll = wait(gateway.newGameServer(), 30, { signal: controller.signal }).catch((error: Error) => error)
    await waitFor(() => expect(held).toHaveLength(1))
    controller.abort()
    await poll
    await waitFor(() => expect(held[0]?.signal.aborted).toBe(true))
  })
})

describe('waiting polls of one address behind a proxy', () => {
  it('take no place of other requests', async () => {
    const { held, release } = holdPolls()
    const servers = Array.from({ length: maxConcurrent + 2 }, () => gateway.newGameServer())
    const polls: Promise<{ status: number }>[] = []
    for (const server of servers) {
      polls.push(wait(server, 30))
      await waitFor(() => expect(held).toHaveLength(polls.length))
    }
    const other = await servers[0]?.send('GET', '/command-queue', { headers: fromOneAddress })
    expect(other?.status).toBe(200)
    release()
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual(servers.map(() => 200))
  })

  it('take them if the response is late without their preference (negative control)', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let started = 0
    gateway.services.overrides.pollCommands = async () => {
      started += 1
      await released
      return { commands: [] }
    }
    const server = gateway.newGameServer()
    const send = () => server.send('POST', '/command-queue', { headers: fromOneAddress })
    const polls = Array.from({ length: maxConcurrent }, send)
    await waitFor(() => expect(started).toBe(maxConcurrent))
    expect((await send()).status).toBe(429)
    release()
    await Promise.all(polls)
  })
})

describe('the number of waiting polls', () => {
  it('is limited for each server: further ones do not wait', async () => {
    const { held, release } = holdPolls()
    const server = gateway.newGameServer()
    const polls: Promise<unknown>[] = []
    for (let count = 1; count <= 10; count += 1) {
      polls.push(wait(server, 30))
      await waitFor(() => expect(held).toHaveLength(count))
    }
    const further = await wait(server, 30)
    expect(further.headers).not.toHaveProperty('preference-applied')
    expect(further.status).toBe(200)
    const ofOther = wait(gateway.newGameServer(), 30)
    await waitFor(() => expect(held).toHaveLength(11))
    release()
    await Promise.all([...polls, ofOther])
    const metrics = await gateway.request('GET', '/metrics')
    expect(metrics.text).toMatch(/^held_polls\{[^}]*\} 0$/m)
  })
})

describe('the rate limit of polls', () => {
  it('counts per token, and neither limits acknowledgements nor is used by them', async () => {
    const [server, other] = [gateway.newGameServer(), gateway.newGameServer()]
    gateway.clock.stop()
    for (let count = 0; count < 40; count += 1) await server.send('DELETE', '/command-queue', { raw: '["7"]' })
    const statuses: number[] = []
    for (let count = 0; count < 31; count += 1) statuses.push((await server.send('GET', '/command-queue')).status)
    expect(statuses).toEqual([...Array(30).fill(200), 429])
    const rejected = await server.send('POST', '/command-queue')
    expect(rejected.headers['ratelimit-policy']).toBe('"game-server-poll";q=120;w=60')
    expect(rejected.headers['retry-after']).toBe('1')
    expect((await server.send('DELETE', '/command-queue', { raw: '["7"]' })).status).toBe(204)
    expect((await other.send('GET', '/command-queue')).status).toBe(200)
    gateway.clock.ahead = 1_000
    expect((await server.send('GET', '/command-queue')).status).toBe(200)
  })
})

/** Last, because the gateway does not serve afterwards. */
describe('shutting down', () => {
  it('ends waiting polls with an empty list and closes their connections', async () => {
    const { held } = holdPolls()
    const polls = [gateway.newGameServer(), gateway.newGameServer()].map((server) => wait(server, 30))
    await waitFor(() => expect(held).toHaveLength(2))
    const stopped = gateway.running.stop()
    for (const { status, body, headers } of await Promise.all(polls)) {
      expect([status, body, headers.connection]).toEqual([200, [], 'close'])
    }
    await stopped
  })
})
