import { describe, expect, it } from 'vitest'
import {
  createFivemScript,
  createGmodAddon,
  createJavaLibrary,
  createJournal,
  createManualTimers,
  createRustPlugin,
  type Plugin,
  type PluginOptions,
  type QueuedCommandBody,
  type Send,
} from './index.ts'

const kinds = [
  { name: 'java-library', create: createJavaLibrary },
  { name: 'fivem-script', create: createFivemScript },
  { name: 'rust-plugin', create: createRustPlugin },
  { name: 'gmod-addon', create: createGmodAddon },
] as const

describe.each(kinds)('the simulated $name', ({ create }) => {
  it('links, executes each command and acknowledges it', async () => {
    const { plugin, sent, executed, api } = simulate(create)
    api.queue = [queued('1', 'say a'), queued('2', 'say b')]
    await plugin.link()
    await plugin.poll()
    expect(executed).toEqual(['say a', 'say b'])
    expect(sent.map(({ path }) => path.replace(/\/$/, ''))).toEqual([
      '/v1/delivery/gameserver/link',
      '/v1/delivery/command-queue',
      expect.stringMatching(/^\/v1\/delivery\/command-queue(\/acknowledge)?$/),
    ])
    expect(sent[2]?.text).toBe('[{"attempt_id":"1"},{"attempt_id":"2"}]')
    expect(plugin.failures).toEqual([])
  })

  it.each([401, 403])('gives up for ever on %d', async (status) => {
    const { plugin, sent, api } = simulate(create)
    await plugin.link()
    api.statuses = [status]
    await plugin.poll()
    await plugin.poll()
    expect(plugin.rejectedWith()).toBe(status)
    expect(sent).toHaveLength(2)
  })

  it.each([429, 500, 503, 404])('polls again after %d', async (status) => {
    const { plugin, executed, api } = simulate(create)
    await plugin.link()
    api.queue = [queued('1', 'say a')]
    api.statuses = [status]
    await plugin.poll()
    await plugin.poll()
    expect(executed).toEqual(['say a'])
    expect(plugin.failures).toHaveLength(1)
  })

  it('does not acknowledge what the game did not execute', async () => {
    const { plugin, sent, api } = simulate(create, {
      execute: () => {
        throw new Error('the game is busy')
      },
    })
    api.queue = [queued('1', 'say a')]
    await plugin.poll()
    expect(sent).toHaveLength(1)
  })
})

describe('the simulated Java library', () => {
  it('sends Latin-1 bytes to paths with a trailing slash', async () => {
    const { plugin, sent } = simulate(createJavaLibrary, { players: () => [{ name: 'Zoë' }] })
    await plugin.link()
    await plugin.poll()
    expect(sent.map(({ path }) => path)).toEqual(['/v1/delivery/gameserver/link/', '/v1/delivery/command-queue/'])
    for (const { body } of sent) expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow()
  })

  it('executes a command again that it gets before its acknowledgement has succeeded', async () => {
    const { plugin, executed, api } = simulate(createJavaLibrary)
    api.queue = [queued('1', 'say a')]
    await Promise.all([plugin.poll(), plugin.poll()])
    expect(executed).toEqual(['say a', 'say a'])
  })

  it('remembers the last 25 acknowledged commands', async () => {
    const { plugin, executed, api } = simulate(createJavaLibrary)
    const commands = Array.from({ length: 26 }, (_, index) => queued(String(index), `say ${index}`))
    api.queue = commands
    await plugin.poll()
    api.queue = commands.slice(0, 2)
    await plugin.poll()
    expect(executed.slice(26)).toEqual(['say 0'])
  })

  it.each(['', '0dc1dd43f9a0429e8f6d0e2c2e5c9a11'])('fails the whole poll on the UUID "%s"', async (minecraft_uuid) => {
    const { plugin, executed, api } = simulate(createJavaLibrary)
    api.queue = [queued('1', 'say a'), { ...queued('2', 'say b'), minecraft_uuid }]
    await plugin.poll()
    expect(executed).toEqual([])
    expect(plugin.failures).toEqual([`TypeError: Invalid UUID string: ${minecraft_uuid}`])
  })

  it('cannot read a previous link that is null', async () => {
    const { plugin, api } = simulate(createJavaLibrary)
    api.linked = { previously_linked: null }
    await plugin.link()
    expect(plugin.failures).toHaveLength(1)
  })
})

describe('the simulated FiveM script', () => {
  it('polls every 2 s', async () => {
    const timers = createManualTimers()
    const { plugin, sent } = simulate(createFivemScript, { timers })
    plugin.start()
    timers.advance(6000)
    await plugin.stop()
    timers.advance(6000)
    expect(sent).toHaveLength(4)
  })

  it('executes a command again when its acknowledgement has failed', async () => {
    const { plugin, executed, api } = simulate(createFivemScript)
    api.queue = [queued('1', 'say a')]
    api.statuses = [200, 503]
    await plugin.poll()
    await plugin.poll()
    expect(executed).toEqual(['say a', 'say a'])
  })

  it('replaces its own placeholder with the number of the player, and waits for players who are offline', async () => {
    const players = [{ steamId: '76561198000000001', source: 7 }]
    const { plugin, sent, executed, api } = simulate(createFivemScript, { players: () => players })
    const command = (steamId: string) => `giveitem {player.source_from:${steamId}} {"name":"bread"}`
    api.queue = [queued('1', command('76561198000000001')), queued('2', command('76561198000000002'))]
    await plugin.poll()
    expect(executed).toEqual(['giveitem 7 {"name":"bread"}'])
    expect(sent[1]?.text).toBe('[{"attempt_id":"1"}]')
  })
})

describe('the simulated Rust plugin', () => {
  it('does not poll before its link has succeeded', async () => {
    const timers = createManualTimers()
    const { plugin, sent, api } = simulate(createRustPlugin, { timers })
    api.statuses = [503, 503]
    plugin.start()
    for (let seconds = 0; seconds < 40; seconds += 10) {
      await expect.poll(() => sent.length).toBe(1 + seconds / 10)
      timers.advance(10_000)
    }
    await plugin.stop()
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'GET'])
  })

  it('skips commands for players who are offline', async () => {
    const { plugin, executed, api } = simulate(createRustPlugin, { players: () => [{ steamId: '1' }] })
    const online_only = true
    api.queue = ['1', '2'].map((steam_id) => ({ ...queued(steam_id, `say ${steam_id}`), online_only, steam_id }))
    api.queue.push({ ...queued('3', 'say 3'), online_only })
    await plugin.poll()
    expect(executed).toEqual(['say 1'])
  })
})

describe('the simulated GMod addon', () => {
  it('repeats a failed acknowledgement ten times, then forgets the command', async () => {
    const pauses: number[] = []
    const after = (ms: number, run: () => void) => {
      pauses.push(ms)
      queueMicrotask(run)
      return () => undefined
    }
    const { plugin, sent, executed, api } = simulate(createGmodAddon, { timers: { ...createManualTimers(), after } })
    api.queue = [queued('1', 'say a')]
    api.statuses = [200, ...Array<number>(11).fill(503)]
    await plugin.poll()
    expect(executed).toEqual(['say a'])
    expect(pauses).toEqual(Array(10).fill(1000))
    expect(sent.slice(1).map(({ path }) => path)).toEqual(Array(11).fill('/v1/delivery/command-queue/acknowledge'))
    await plugin.poll()
    expect(executed).toEqual(['say a', 'say a'])
  })

  it('does not execute a command again while its acknowledgement is repeated', async () => {
    const { plugin, executed, api } = simulate(createGmodAddon, { timers: createManualTimers() })
    api.queue = [queued('1', 'say a')]
    api.statuses = [200, 503]
    const first = plugin.poll()
    await expect.poll(() => executed).toEqual(['say a'])
    await plugin.poll()
    await plugin.stop()
    await first
    expect(executed).toEqual(['say a'])
  })
})

describe('the journal', () => {
  it('finds commands that were given out after their acknowledgement', () => {
    const journal = createJournal()
    const poll = (sentAt: number) =>
      journal.givenOut({ plugin: 'java-library', ids: ['1'], sentAt, receivedAt: sentAt + 10 })
    poll(0)
    // Was sent before the acknowledgement had succeeded.
    poll(15)
    journal.acknowledged({ ids: ['1'], receivedAt: 20 })
    expect(journal.givenOutAfterAcknowledgement()).toEqual([])
    poll(21)
    expect(journal.givenOutAfterAcknowledgement()).toEqual(['1'])
  })

  it('finds commands that were given out twice within the lease', () => {
    const journal = createJournal()
    const poll = (sentAt: number, receivedAt: number) =>
      journal.givenOut({ plugin: 'java-library', ids: ['1'], sentAt, receivedAt })
    poll(0, 50)
    poll(80, 101)
    expect(journal.givenOutWithinLease(100)).toEqual([])
    poll(120, 150)
    expect(journal.givenOutWithinLease(100)).toEqual(['1'])
  })
})

function queued(attempt_id: string, command: string): QueuedCommandBody {
  return { attempt_id, command, online_only: false, queued_at: '2026-01-01T00:00:00Z' }
}

/** A plugin in front of an API that returns `statuses` first, then 200, and the same queue to every poll. */
function simulate(create: (options: PluginOptions) => Plugin, options: Partial<PluginOptions> = {}) {
  const sent: { method: string; path: string; body: Buffer; text: string }[] = []
  const executed: string[] = []
  const api: { queue: QueuedCommandBody[]; linked: object; statuses: number[] } = {
    queue: [],
    linked: {},
    statuses: [],
  }
  const send: Send = async ({ method, path, body = Buffer.of() }) => {
    sent.push({ method, path, body, text: body.toString() })
    const status = api.statuses.shift() ?? 200
    const isAcknowledgement = method === 'DELETE' || path.endsWith('/acknowledge')
    const answer = path.includes('/link') ? api.linked : api.queue
    return { status, text: isAcknowledgement ? '' : JSON.stringify(answer) }
  }
  const execute = (command: string) => void executed.push(command)
  const plugin = create({ baseUrl: 'http://127.0.0.1', token: 'skgs_test', execute, send, ...options })
  return { plugin, sent, executed, api }
}
