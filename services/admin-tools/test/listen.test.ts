import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { errors, violation } from '@storekeep/common/errors'
import { useFakeService } from '@storekeep/common/testing'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { ListeningService } from '@storekeep/proto/webhooks/v1/listening_service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { run } from './run.ts'

const stores = useFakeService(StoresService, { listStores: async () => ({ stores: [{ id: '7', slug: 'isles' }] }) })
const payload = JSON.stringify({ type: 'ban.created', timestamp: '2026-11-20T14:35:17.000Z', data: { reason: 'ä' } })
/** What the service responds to each call, from the second on; then nothing happens. */
let answers: (() => { events: { id: string; type: string; payload: string }[] })[]
let pulls: { storeId: string | undefined; position: bigint | undefined; eventTypes: string[] }[]
const webhooks = useFakeService(ListeningService, {
  async pullEvents({ position, eventTypes }, { storeId, signal }) {
    pulls.push({ storeId, position, eventTypes })
    const answer = position === undefined ? () => ({ events: [] }) : answers.shift()
    if (answer) return { position: (position ?? 40n) + 1n, ...answer() }
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return { position: position ?? 40n }
  },
})
const received: { headers: IncomingHttpHeaders; body: string }[] = []
const receiver = createServer(async (incoming, response) => {
  received.push({ headers: incoming.headers, body: await text(incoming) })
  response.writeHead(302, { location: '/elsewhere' }).end()
})
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => {
  receiver.close()
  receiver.closeAllConnections()
})
beforeEach(() => {
  answers = []
  pulls = []
  received.length = 0
})

/** Runs the command until its output contains `end`, then presses Ctrl-C. */
async function listenUntil(end: string, ...args: string[]) {
  const abort = new AbortController()
  let output = ''
  const onOutput = (line: string) => {
    output += line
    if (output.includes(end)) abort.abort()
  }
  const addresses = () => ({ stores: stores.address, webhooks: webhooks.address })
  return run(['listen', '--store', 'isles', ...args], addresses, { onOutput, interrupted: abort.signal })
}

const event = (id: string) => () => ({ events: [{ id, type: 'ban.created', payload }] })

describe('listen', () => {
  it('prints and forwards the events of the store, signed with the printed secret, and ends with Ctrl-C', async () => {
    answers = [event('e1'), () => ({ events: [] }), event('e2')]
    const { code, stdout, stderr } = await listenUntil('e2  →', '--forward-to', url)
    const line = (id: string) => `2026-11-20T14:35:17.000Z  ban.created  ${id}  → 302\n`
    expect({ code, stdout }).toEqual({ code: 0, stdout: line('e1') + line('e2') })
    expect(stderr).toMatch(/\n2 events\n$/)
    expect(received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual([
      ['e1', payload],
      ['e2', payload],
    ])
    const secret = /Signing secret: whsec_(\S+)/.exec(stderr)?.[1] ?? ''
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = received[0]?.headers ?? {}
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${time}.${payload}`)
    expect(signature).toBe(`v1,${hmac.digest('base64')}`)
    expect(pulls.map(({ position }) => position).slice(0, 4)).toEqual([undefined, 41n, 42n, 43n])
    expect(pulls[0]?.storeId).toBe('7')
  })

  it('only prints without --forward-to, and passes on the types', async () => {
    answers = [event('e1')]
    const { code, stdout, stderr } = await listenUntil('e1', '--event-types', 'ban.created,ban.deleted')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2026-11-20T14:35:17.000Z  ban.created  e1\n' })
    expect(stderr).toMatch(/\n1 event\n$/)
    expect(stderr).not.toContain('secret')
    expect(pulls[0]?.eventTypes).toEqual(['ban.created', 'ban.deleted'])
    expect(received).toEqual([])
  })

  it('prints an object per line with --json, and nothing else to stdout', async () => {
    answers = [event('e1'), event('e2')]
    const { code, stdout } = await listenUntil('"e2"', '--json', '--forward-to', url)
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['e1', 'e2'].map((id) => ({
        time: '2026-11-20T14:35:17.000Z',
        type: 'ban.created',
        id,
        status: 302,
        error: null,
        payload: JSON.parse(payload),
      })),
    )
  })

  it('suggests the stores that exist', async () => {
    const { code, stderr } = await run(['listen', '--store', 'isle'], () => ({ stores: stores.address }))
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'error: No store has the id or slug "isle". Stores: isles.\n' })
  })

  it('continues at the same position after the service was unavailable, and if nothing receives the events', async () => {
    const down = () => {
      throw errors.unavailable(new Error('x'))
    }
    // The client itself repeats a call a few times.
    answers = [...Array.from({ length: 8 }, () => down), event('e1')]
    const { code, stdout, stderr } = await listenUntil('e1  →', '--forward-to', 'http://127.0.0.1:1/')
    expect(code).toBe(0)
    expect(stderr).toContain('The connection was lost. Trying again.')
    expect(stderr).toContain('Reconnected.')
    expect(stdout).toMatch(/e1 {2}→ .*ECONNREFUSED|e1 {2}→ bad port/)
  })

  it.each(['localhost:3000', 'ftp://localhost/', 'http://'])('rejects --forward-to %s', async (value) => {
    const { code, stderr } = await listenUntil('never', '--forward-to', value)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: --forward-to must be /)
  })

  it('reports types that do not exist', async () => {
    answers = [
      () => {
        throw errors.validationFailed([violation('event_types.0', 'enum', '"x" is not an event type')])
      },
    ]
    const { code, stderr } = await listenUntil('never', '--event-types', 'x')
    expect(code).toBe(1)
    expect(stderr).toContain('error: --event-types "x" is not an event type.\n')
  })
})
