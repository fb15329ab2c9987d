import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../src/infra/index.ts'
import { services } from '../src/services.ts'
import type { DemoStore } from '../src/system/demo-request.ts'
import { readLock } from '../src/system/lock.ts'
import { childrenOf, isRunning, type Launched, launch } from './launch.ts'

const callKeys = { CALL_KEYS: `admin-tools:stores=${'k'.repeat(43)}` }

/** The last line that `npm start` prints. */
const ready = 'Press Ctrl-C to stop.'

describe.runIf(process.platform === 'linux')('npm start', { timeout: 600_000 }, () => {
  let folder: string
  let port: number
  let pagesPort: number
  let demoPort: number
  let mailboxPort: number
  let running: Launched

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep start '))
    port = await freePort()
    pagesPort = await freePort()
    demoPort = await freePort()
    mailboxPort = await freePort()
    running = start()
    await running.printed(ready)
  }, 600_000)

  afterAll(async () => {
    running.process.kill('SIGTERM')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  }, 120_000)

  it('creates a demo store of each platform with a valid key, in files that only their owner can read', async () => {
    const demo = readDemo()
    expect(demo.base_url).toBe(`http://127.0.0.1:${port}`)
    expect(demo.stores.map(({ game }) => game)).toEqual(['rust', 'minecraft', 'minecraft_offline', 'minecraft_geyser'])
    for (const file of ['demo.json', 'secrets.json', 'postgres.password']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    }
    for (const { id, api_key } of demo.stores) {
      const headers = { authorization: `APIKey ${api_key}` }
      const response = await fetch(`${demo.base_url}/v1/stores/${id}/customers`, { headers })
      expect(response.status).toBe(200)
    }
  })

  it('gives the demo stores images, a website, legal pages and a seller', async () => {
    const { base_url, stores } = readDemo()
    for (const { id, api_key } of stores) {
      const headers = { authorization: `APIKey ${api_key}` }
      const read = async <Body>(path: string) =>
        (await (await fetch(`${base_url}/v1/stores/${id}${path}`, { headers })).json()) as Body
      const store = await read<StoreLinks>('')
      const { logo_url, logo_square_url, icon_url, website_url, links, seller } = store
      const products = await read<{ image_url: string }[]>('/products')
      expect(seller.name).not.toBe('')
      const pages = [website_url, links.terms, links.privacy, links.refunds]
      const images = [logo_url, logo_square_url, icon_url, ...products.map(({ image_url }) => image_url)]
      for (const url of [...pages, ...images]) {
        const { status, headers: received } = await fetch(url)
        const type = images.includes(url) ? 'image/webp' : 'text/html; charset=utf-8'
        expect([url, status, received.get('content-type')]).toEqual([url, 200, type])
      }
    }
  })

  it('prints the address of a checkout page that can be paid', async () => {
    const [, url = ''] = /Checkout page +(\S+)/.exec(running.output()) ?? []
    expect(url).toMatch(`http://127.0.0.1:${pagesPort}/checkout/?t=`)
    expect(await (await fetch(url)).text()).toContain('name="method" value="test"')
  })

  it('prints how to connect a game server, with a token that is valid and kept', async () => {
    const [, token] = /GAME_SERVER_TOKEN=(\S+) node deploy\/examples\/rcon-bridge.mjs/.exec(running.output()) ?? []
    const { base_url, stores } = readDemo()
    expect(token).toBe(stores[0]?.game_server_token)
    const headers = { authorization: `Gameserver ${token}` }
    const response = await fetch(`${base_url}/v1/delivery/command-queue`, { headers })
    expect([response.status, await response.json()]).toEqual([200, []])
  })

  it('prints the address of a mailbox with the receipts of customers, for requests to this address only', async () => {
    const [, url = ''] = /Mailbox +(\S+)/.exec(running.output()) ?? []
    expect(url).toBe(`http://127.0.0.1:${mailboxPort}`)
    const [, checkout = ''] = /Checkout page +(\S+)/.exec(running.output()) ?? []
    await pay(checkout)
    await expect.poll(async () => (await fetch(url)).text()).toContain('Your receipt from')
    const page = await (await fetch(`${url}/mails/1`)).text()
    expect(page).toContain('robin@example.com')
    const mail = await fetch(`${url}/mails/1/html`)
    expect(mail.headers.get('content-security-policy')).toMatch(/^sandbox /)
    expect(await mail.text()).toContain('Thank you for your order!')
    expect(await statusFor(url, 'rebound.example')).toBe(421)
  })

  it('records the metrics address of each process, and serves no metrics on the public port', async () => {
    expect((await fetch(`${readDemo().base_url}/metrics`)).status).toBe(404)
    const metrics = Object.entries(readLock(join(folder, 'running.json'))?.metrics ?? {})
    expect(metrics.map(([name]) => name).sort()).toEqual(
      [...services.map(({ name }) => name), 'pages', 'gateway'].sort(),
    )
    for (const [name, url] of metrics) {
      const response = await fetch(url)
      expect([name, response.status]).toEqual([name, 200])
      expect(await response.text()).toContain('process_cpu_seconds_total')
    }
  })

  it('does not start twice and names the running process', async () => {
    const second = start({ PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `Storekeep already runs here at http://127.0.0.1:${port} (process ${lockHolder()}). Stop it first.`,
    )
    expect(second.output()).not.toContain('    at ')
  })

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'ends `npm run admin -- listen` after a %s to its first process',
    async (signal) => {
      const listening = launch(['admin', 'listen', '--store', 'demo-rust'], { DATA_DIR: folder })
      await listening.printed('Listening to the store demo-rust.')
      const pids = descendantsOf(listening.process.pid ?? 0)
      expect(pids.length).toBeGreaterThanOrEqual(2)
      listening.process.kill(signal)
      await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 60_000, interval: 100 })
      await listening.ended
      // The listener was not killed: it printed its summary.
      expect(listening.output()).toContain('0 events')
    },
  )

  it('leaves no process behind when it is killed, and keeps its stores and keys on the next start', async () => {
    const demo = readDemo()
    const holder = lockHolder()
    const children = childrenOf(holder)
    expect(children.length).toBeGreaterThanOrEqual(6)
    kill(holder)
    expect(await running.ended).toBe(1)
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]), { timeout: 120_000, interval: 100 })

    running = start({}, ['--cells', '2'])
    await running.printed(ready)
    expect(readDemo()).toEqual(demo)
    const [rust] = demo.stores
    const headers = { authorization: `APIKey ${rust?.api_key}` }
    const bans = await fetch(`${demo.base_url}/v1/stores/${rust?.id}/bans`, { headers })
    expect(await bans.json(), 'the catalog is not created again').toHaveLength(1)
  })

  it('runs a second cell with its own servers and demo stores, which the admin CLI finds', async () => {
    expect(readLock(join(folder, 'running.json'))).toMatchObject({
      cells: [0, 1],
      addresses: { CELLS: '0,1', CELL_1_STORES_ADDRESS: expect.any(String) },
    })
    const [store] = readDemo('cell-1').stores
    expect(store?.api_key).toMatch(/^skapi_01/)
    const listed = launch(['admin', 'list-keys', '--store', 'cell-1-demo-rust', '--json'], { DATA_DIR: folder })
    expect(await listed.ended).toBe(0)
    expect(listed.output()).toContain(`"store_id": "${store?.id}"`)
  })

  it('keeps serving one cell while servers and services of the other are killed, and restarts those', async () => {
    const statusOf = async (cell: string) => {
      const { base_url, stores } = readDemo(cell)
      const headers = { authorization: `APIKey ${stores[0]?.api_key}` }
      return (await fetch(`${base_url}/v1/stores/${stores[0]?.id}/customers`, { headers })).status
    }
    expect([await statusOf('.'), await statusOf('cell-1')]).toEqual([200, 200])
    const members = childrenOf(lockHolder()).filter((pid) => commandLine(pid).includes('cell-1'))
    expect(members).toHaveLength(services.length + 2)
    // A restart of all of them would only take longer.
    const victims = members.filter((pid) => /postgres|nats-server|cell-1-(stores|customers)/.test(commandLine(pid)))
    expect(victims).toHaveLength(4)
    for (const pid of victims) kill(pid)
    await running.printed('cell-1-stores exited (SIGKILL)')
    const others: number[] = []
    await vi.waitFor(
      async () => {
        others.push(await statusOf('.'))
        expect(await statusOf('cell-1')).toBe(200)
      },
      { timeout: 120_000, interval: 50 },
    )
    expect(others.filter((status) => status !== 200)).toEqual([])
    expect(running.output(), 'services wait for their Postgres').not.toContain('failed to start again')
  })

  it('restarts Postgres, NATS, Redis and the gateway after they are killed', async () => {
    const programs = {
      Postgres: 'postgres',
      NATS: 'nats-server',
      Redis: 'redis-server',
      gateway: 'bundles/gateway.js',
    }
    for (const program of Object.values(programs)) kill(childWith(program))
    for (const name of Object.keys(programs)) {
      await running.printed(`${name} exited (SIGKILL); restarting it in 0.5 s. Its log: ${folder}/logs/`)
    }
    const { base_url, stores } = readDemo()
    const [rust] = stores
    const store = `${base_url}/v1/stores/${rust?.id}`
    const request = { headers: { authorization: `APIKey ${rust?.api_key}`, 'content-type': 'application/json' } }
    const body = JSON.stringify({ steam_id: '76561199000000017' })
    await vi.waitFor(
      async () => {
        const created = await fetch(`${store}/customers`, { ...request, method: 'POST', body })
        // 409: an earlier attempt was executed, but its response was lost.
        expect([201, 409]).toContain(created.status)
        const found = await fetch(`${store}/dashboard/search?query=76561199000000017`, request)
        expect(await found.json()).toMatchObject({ facets: { customer: 1 } })
      },
      { timeout: 120_000, interval: 200 },
    )
  })

  it('stops everything when a process exits five times within a minute, and prints the path of its log', async () => {
    const children = childrenOf(lockHolder())
    let last: number | undefined
    const isStopping = () => running.output().includes('5 times within a minute; stopping everything.')
    while (!isStopping()) {
      const gateway = childWith('bundles/gateway.js')
      if (gateway !== undefined && gateway !== last) kill(gateway)
      last = gateway ?? last
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await running.ended).toBe(1)
    expect(running.output()).toMatch(
      /gateway .*, 5 times within a minute; stopping everything\. Its log: .*gateway\.log/,
    )
    expect(children.filter(isRunning)).toEqual([])
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
  })

  /** The child of the launcher in cell 0, or of no cell, whose command line contains `text`. */
  function childWith(text: string): number | undefined {
    return childrenOf(lockHolder()).find((pid) => {
      const line = commandLine(pid)
      return line.includes(text) && !line.includes('cell-1')
    })
  }

  function start(environment: Record<string, string> = {}, args: string[] = []): Launched {
    return launch(['start', ...args], {
      DATA_DIR: folder,
      PORT: String(port),
      PAGES_PORT: String(pagesPort),
      DEMO_PORT: String(demoPort),
      MAILBOX_PORT: String(mailboxPort),
      ...environment,
    })
  }

  function lockHolder(): number {
    const { pid } = readLock(join(folder, 'running.json')) ?? {}
    if (pid === undefined) throw new Error(`Storekeep is not running any more:\n${running.output()}`)
    return pid
  }

  function readDemo(cell = '.'): { base_url: string; stores: DemoStore[] } {
    return JSON.parse(readFileSync(join(folder, cell, 'demo.json'), 'utf8'))
  }
})

/** Pays a checkout of the provider `test`, as a browser without scripts does. */
async function pay(checkoutUrl: string): Promise<void> {
  const page = await (await fetch(checkoutUrl)).text()
  const [, total = ''] = /name="total" value="(\d+)"/.exec(page) ?? []
  const testPage = await submit(page, checkoutUrl, '/pay', { email: 'robin@example.com', method: 'test', total })
  await submit(await testPage.text(), testPage.url, '/test-payment', { decision: 'approve' })
}

/** Submits the form of a page whose action contains the path. */
async function submit(page: string, url: string, path: string, fields: Record<string, string>): Promise<Response> {
  const actions = [...page.matchAll(/action="([^"]+)"/g)].map(([, action = '']) => action.replaceAll('&amp;', '&'))
  const target = new URL(actions.find((action) => action.includes(path)) ?? '', url)
  const response = await fetch(target, {
    method: 'POST',
    headers: { origin: target.origin },
    body: new URLSearchParams(fields),
  })
  expect(response.status).toBe(200)
  return response
}

/** The status of a request to an address with another Host header. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

/** The fields of a store that refer to the demo site. */
interface StoreLinks extends Record<'logo_url' | 'logo_square_url' | 'icon_url' | 'website_url', string> {
  links: Record<'terms' | 'privacy' | 'refunds', string>
  seller: { name: string }
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** `process.kill(0)` would kill the test run. */
function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('The process is not running.')
  process.kill(pid, 'SIGKILL')
}

describe('a command that fails', { timeout: 120_000 }, () => {
  it('suggests the next free port for one in use', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-start-'))
    const failed = launch(['start'], { DATA_DIR: folder, PORT: String(port) })
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toMatch(
      new RegExp(
        `Port ${port} on 127.0.0.1 is already in use. Stop whatever uses it, or choose another: PORT=\\d+ npm start`,
      ),
    )
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    [['start', '--cells', '65'], {}, '--cells must be a number from 1 to 64.'],
    [
      ['start', '--cells', '2'],
      { NATS_URL: 'nats://127.0.0.1:1' },
      '--cells starts a Postgres and a NATS for each cell. Unset DATABASE_URL and NATS_URL.',
    ],
    [['start'], { PORT: 'abc' }, 'Invalid settings: PORT must be a whole number from 1 to 65535.'],
    [
      ['start'],
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' },
      'DATABASE_URL: cannot use the Postgres at 127.0.0.1:1',
    ],
    [['admin', 'list-stores'], {}, 'Storekeep is not running in this folder. Start it with: npm start'],
    [['seed'], {}, 'Invalid settings: CALL_KEYS is missing.'],
    [['seed', '--stores', '127.0.0.1:1'], callKeys, 'Cannot create the demo stores with --stores 127.0.0.1:1 and'],
    [['nonsense'], {}, 'Unknown command "nonsense".'],
  ])('%s %o: prints one line', async (args, environment, line) => {
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-start-'))
    const port = String(await freePort())
    const failed = launch(args, { DATA_DIR: folder, PORT: port, ...environment })
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toContain(line)
    expect(failed.output()).not.toContain('    at ')
    rmSync(folder, { recursive: true, force: true })
  })
})
