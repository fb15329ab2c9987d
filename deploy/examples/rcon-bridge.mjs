// Runs the commands of paid goods on a Minecraft or Source server, over RCON. Copy this file to any machine that reaches both
// the server and Storekeep. It needs Node 20 or later:
//
//   npm install rcon-client@4.2.5
//   GAME_SERVER_TOKEN=skgs_… RCON_PASSWORD=… node rcon-bridge.mjs
//
// Storekeep holds each request until a command is due, so a purchase arrives within a second. A command is acknowledged after
// the server has responded to it. The state file remembers executed commands until Storekeep has confirmed the acknowledgement,
// so they do not run again after a failure or a restart of the bridge. A command whose response was lost runs again.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Rcon } from 'rcon-client'

const settings = {
  /** Where Storekeep is. */
  url: process.env.STOREKEEP_URL ?? 'http://127.0.0.1:8080',
  /** From creating the game server in Storekeep. */
  token: process.env.GAME_SERVER_TOKEN ?? '',
  host: process.env.RCON_HOST ?? '127.0.0.1',
  port: Number(process.env.RCON_PORT ?? 25_575),
  password: process.env.RCON_PASSWORD ?? '',
  /** How to ask the server who is online: "minecraft" by name, "source" by Steam ID. */
  game: process.env.GAME ?? 'minecraft',
  stateFile: process.env.STATE_FILE ?? 'rcon-bridge.json',
  /** How long to wait after a failure. */
  retrySeconds: Number(process.env.RETRY_SECONDS ?? 5),
  /** How long Storekeep may hold a request. Players who join in between get their commands with the next request. */
  waitSeconds: Number(process.env.WAIT_SECONDS ?? 10),
}
if (!settings.token) fail('Set GAME_SERVER_TOKEN to the token of the game server.')
if (!['minecraft', 'source'].includes(settings.game)) fail('GAME must be "minecraft" or "source".')

/** Ids of commands that were executed and are not acknowledged yet. @type {Set<string>} */
const executed = new Set(existsSync(settings.stateFile) ? JSON.parse(readFileSync(settings.stateFile, 'utf8')) : [])
let isLinked = false

for (;;) {
  try {
    await acknowledge()
    if (!isLinked) await link()
    // Commands are fetched only while the server can execute them.
    await runCommands()
  } catch (error) {
    console.error(`${describe(error)}; retrying in ${settings.retrySeconds} s`)
    await pause(settings.retrySeconds * 1000)
  }
}

async function link() {
  const { url, host, port } = settings
  const server = { ip: `${host}:${port}`, hostname: hostname(), platform: `${settings.game}-rcon`, version: '1' }
  const { gameserver } = await call('POST', '/v1/delivery/gameserver/link', server)
  isLinked = true
  console.log(`Connected to ${url} as ${gameserver.name}`)
}

/** Never resolves; rejects when either connection fails. */
async function runCommands() {
  const { host, port, password } = settings
  const rcon = new Rcon({ host, port, password, timeout: 10_000 })
  // A broken connection also rejects the next command, so there is nothing to do here; without a listener, it would end the
  // process.
  rcon.on('error', () => undefined)
  try {
    await rcon.connect()
    for (;;) {
      const startedAt = performance.now()
      const commands = await call('POST', '/v1/delivery/command-queue', await findPlayers(rcon), settings.waitSeconds)
      for (const { attempt_id, command } of commands) {
        if (executed.has(attempt_id)) continue
        console.log(`> ${command}`)
        console.log(`< ${await rcon.send(command)}`)
        executed.add(attempt_id)
        saveState()
      }
      await acknowledge()
      // A proxy in between may not hold requests.
      const wasHeld = commands.length > 0 || performance.now() - startedAt > 1000
      if (!wasHeld) await pause(settings.retrySeconds * 1000)
    }
  } finally {
    rcon.socket?.destroy()
  }
}

/** Tells Storekeep what was executed. This cannot fail for what it contains, so a failure is repeated. */
async function acknowledge() {
  if (executed.size === 0) return
  const ids = [...executed].slice(0, 1000)
  await call(
    'POST',
    '/v1/delivery/command-queue/acknowledge',
    ids.map((attempt_id) => ({ attempt_id })),
  )
  for (const id of ids) executed.delete(id)
  saveState()
}

/**
 * Who is online. Commands that need their player wait until then.
 * @param {Rcon} rcon
 */
async function findPlayers(rcon) {
  if (settings.game === 'minecraft') {
    // "There are 2 of a max of 20 players online: Robin, Kim"
    const [, names = ''] = /:(.*)$/s.exec(await rcon.send('list')) ?? []
    return { customer_names: names.split(',').flatMap((name) => name.trim() || []) }
  }
  // "# 2 "Robin" [U:1:39734273] 05:12 …"
  const accounts = (await rcon.send('status')).matchAll(/\[U:1:(\d+)\]/g)
  return { steam_ids: [...accounts].map(([, account = '']) => String(76_561_197_960_265_728n + BigInt(account))) }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} body
 * @param {number} waitSeconds how long Storekeep may hold the request if nothing is due
 * @returns {Promise<any>} the body of the response
 */
async function call(method, path, body, waitSeconds = 0) {
  const headers = { authorization: `Gameserver ${settings.token}`, 'content-type': 'application/json' }
  const response = await fetch(settings.url + path, {
    method,
    headers: waitSeconds > 0 ? { ...headers, prefer: `wait=${waitSeconds}` } : headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout((waitSeconds + 15) * 1000),
  })
  if (response.status === 401) fail('Storekeep does not know this token. Was it reset?')
  if (response.status === 403) fail('This game server is disabled in Storekeep.')
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.status === 204 ? undefined : response.json()
}

/**
 * `fetch` reports the reason of a failure in its cause.
 * @param {unknown} error
 */
function describe(error) {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Replaces the file in one step, so that a crash leaves the old or the new one. */
function saveState() {
  writeFileSync(`${settings.stateFile}.new`, JSON.stringify([...executed]))
  renameSync(`${settings.stateFile}.new`, settings.stateFile)
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message)
  process.exit(1)
}
