import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startFakeRconServer } from '@storekeep/examples/fake-rcon-server'
import { type Child, startChild } from '@storekeep/local/processes'
import { afterEach, expect, it } from 'vitest'
import { findNode } from '../sdk/node-versions.ts'

const script = fileURLToPath(new URL('../../deploy/examples/rcon-bridge.mjs', import.meta.url))
const password = 'console-password'
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

it.each(['minecraft', 'source'] as const)('a command arrives on a %s server and is acknowledged once', async (game) => {
  const { api, rcon } = await start({ game })
  api.queue = ['give Robin diamond 3', 'say "Thank you, Zoë §6★"']
  await expect.poll(() => api.acknowledgements).toEqual([['0', '1']])
  expect(rcon.executed).toEqual(api.queue)
  expect(api.links).toMatchObject([{ platform: `${game}-rcon` }])
  const online = game === 'source' ? { steam_ids: ['76561198000000001'] } : { customer_names: ['Robin', 'Kim'] }
  expect(api.polls[0]).toEqual({ prefer: 'wait=10', body: online })
})

it('a command runs once although RCON fails before it', async () => {
  const { api, rcon } = await start()
  rcon.failures = 2
  api.queue = ['give Robin diamond 3', 'give Robin bread 1']
  await expect.poll(() => api.acknowledgements).toEqual([['0', '1']])
  expect(rcon.failures).toBe(0)
  expect(rcon.executed).toEqual(api.queue)
})

it('a command runs once although its acknowledgement fails and the bridge is killed', async () => {
  const { api, rcon, bridge, startBridge } = await start()
  api.rejectsAcknowledgements = true
  api.queue = ['give Robin diamond 3']
  await expect.poll(() => api.acknowledgements.length).toBeGreaterThan(1)
  bridge.kill('SIGKILL')
  await bridge.exited
  const before = api.polls.length
  await startBridge()
  api.rejectsAcknowledgements = false
  await expect.poll(() => api.polls.length).toBeGreaterThan(before + 1)
  expect(rcon.executed).toEqual(api.queue)
  expect(api.acknowledgements.at(-1)).toEqual(['0'])
})

it('a command whose response was lost runs again', async () => {
  const { api, rcon } = await start()
  rcon.losesResponses = 1
  api.queue = ['give Robin diamond 3']
  await expect.poll(() => api.acknowledgements).toEqual([['0']])
  expect(rcon.executed).toEqual(['give Robin diamond 3', 'give Robin diamond 3'])
})

it('nothing is fetched while the server cannot be reached', async () => {
  const { api, bridge, logOf } = await start({ password: 'another password' })
  await expect.poll(() => logOf(bridge).split('Authentication failed').length).toBeGreaterThan(2)
  expect(api.polls).toEqual([])
})

it.each([
  [401, 'Storekeep does not know this token. Was it reset?'],
  [403, 'This game server is disabled in Storekeep.'],
])('the bridge ends with an explanation on %d', async (status, message) => {
  const { bridge, logOf } = await start({ status })
  expect((await bridge.exited).code).toBe(1)
  expect(logOf(bridge).trim()).toBe(message)
})

interface StartOptions {
  game?: 'minecraft' | 'source'
  /** The password that the bridge uses. */
  password?: string
  /** The status of every response. */
  status?: number
}

/** A game server, an API with a queue of commands, and the bridge between them. */
async function start({ game = 'minecraft', ...options }: StartOptions = {}) {
  const rcon = { executed: [] as string[], failures: 0, losesResponses: 0 }
  const server = await startFakeRconServer({
    password,
    game,
    onCommand(command) {
      if (command === 'list') return 'There are 2 of a max of 20 players online: Robin, Kim'
      if (command === 'status') return '# 2 "Robin" [U:1:39734273] 05:12 40 0 active'
      if (rcon.failures > 0) {
        rcon.failures -= 1
        return undefined
      }
      rcon.executed.push(command)
      if (rcon.losesResponses === 0) return 'Done'
      rcon.losesResponses -= 1
      return undefined
    },
  })
  ends.push(server.close)
  const api = await startQueue(options.status)
  const directory = mkdtempSync(join(tmpdir(), 'storekeep-test-'))
  ends.push(() => rmSync(directory, { recursive: true }))

  /** On the oldest version of Node that it supports. */
  async function startBridge(): Promise<Child> {
    const bridge = await startChild({
      name: 'rcon-bridge',
      command: findNode(20),
      args: [script],
      logFile: join(directory, 'bridge.log'),
      spawn: {
        env: {
          STOREKEEP_URL: api.url,
          GAME_SERVER_TOKEN: 'skgs_test',
          RCON_PORT: String(server.port),
          RCON_PASSWORD: options.password ?? password,
          GAME: game,
          STATE_FILE: join(directory, 'state.json'),
          RETRY_SECONDS: '0.05',
        },
      },
    })
    ends.push(bridge.stop)
    return bridge
  }

  const logOf = ({ logFile }: Child) => readFileSync(logFile, 'utf8')
  return { api, rcon, bridge: await startBridge(), startBridge, logOf }
}

/** Gives out the same commands until they are acknowledged; the id of each is its position. */
async function startQueue(status = 200) {
  const api = {
    url: '',
    queue: [] as string[],
    rejectsAcknowledgements: false,
    links: [] as unknown[],
    polls: [] as { prefer: unknown; body: unknown }[],
    /** The ids of each request, whether rejected or not. */
    acknowledgements: [] as string[][],
  }
  const acknowledged = new Set<string>()
  const server = createServer(async (request, response) => {
    const respond = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    }
    const body = await json(request)
    if (request.headers.authorization !== 'Gameserver skgs_test' || status !== 200) return respond(status, {})
    if (request.url === '/v1/delivery/gameserver/link') {
      api.links.push(body)
      return respond(200, { gameserver: { id: '1', name: 'Survival', enabled: true } })
    }
    if (request.url === '/v1/delivery/command-queue/acknowledge') {
      const ids = (body as { attempt_id: string }[]).map(({ attempt_id }) => attempt_id)
      api.acknowledgements.push(ids)
      if (api.rejectsAcknowledgements) return respond(503, {})
      for (const id of ids) acknowledged.add(id)
      return respond(204)
    }
    api.polls.push({ prefer: request.headers.prefer, body })
    const queued = api.queue.map((command, id) => ({ attempt_id: String(id), command, online_only: false }))
    return respond(
      200,
      queued.filter(({ attempt_id }) => !acknowledged.has(attempt_id)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return api
}
