import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../src/infra/index.ts'
import { services } from '../src/services.ts'
import { readLock } from '../src/system/lock.ts'
import { childrenOf, isRunning, type Launched, launch } from './launch.ts'

describe.runIf(process.platform === 'linux')('npm start', { timeout: 120_000 }, () => {
  let folder: string
  let port: number
  let running: Launched

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep start '))
    port = await freePort()
    running = start()
    await running.printed('Ctrl-C stops everything')
  }, 120_000)

  afterAll(async () => {
    running.process.kill('SIGTERM')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  })

  it('writes down one demo store of each platform, readable by its owner only, with a key that works', async () => {
    const demo = readDemo()
    expect(demo.base_url).toBe(`http://127.0.0.1:${port}`)
    expect(demo.stores.map(({ game }) => game)).toEqual(['rust', 'minecraft', 'minecraft_offline'])
    for (const file of ['demo.json', 'secrets.json', 'postgres.password']) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
    }
    for (const { id, api_key } of demo.stores) {
      const headers = { authorization: `APIKey ${api_key}` }
      const answer = await fetch(`${demo.base_url}/v1/stores/${id}/customers`, { headers })
      expect(answer.status).toBe(200)
    }
  })

  it('says where each process tells its metrics', async () => {
    const metrics = Object.entries(readLock(join(folder, 'running.json'))?.metrics ?? {})
    expect(metrics.map(([name]) => name).sort()).toEqual([...services.map(({ name }) => name), 'gateway'].sort())
    for (const [name, url] of metrics) {
      const answer = await fetch(url)
      expect([name, answer.status]).toEqual([name, 200])
      expect(await answer.text()).toContain('process_cpu_seconds_total')
    }
  })

  it('refuses to start a second time, naming the first', async () => {
    const second = start({ PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `Storekeep already runs here at http://127.0.0.1:${port} (process ${lockHolder()}). Stop that one first.`,
    )
    expect(second.output()).not.toContain('    at ')
  })

  it('leaves no process behind when it is killed, and then continues with the same stores and keys', async () => {
    const demo = readDemo()
    const holder = lockHolder()
    const children = childrenOf(holder)
    expect(children.length).toBeGreaterThanOrEqual(6)
    kill(holder)
    expect(await running.ended).toBe(1)
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]), { timeout: 20_000, interval: 100 })

    running = start()
    await running.printed('Ctrl-C stops everything')
    expect(readDemo()).toEqual(demo)
    const [rust] = demo.stores
    const headers = { authorization: `APIKey ${rust?.api_key}` }
    const bans = await fetch(`${demo.base_url}/v1/stores/${rust?.id}/bans`, { headers })
    expect(await bans.json(), 'what they sell is not made again').toHaveLength(1)
  })

  it('stops everything when a part of it dies, and says which and where its log is', async () => {
    const holder = lockHolder()
    const children = childrenOf(holder)
    const gateway = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gateway/src/main.ts'))
    kill(gateway)
    expect(await running.ended).toBe(1)
    expect(running.output()).toContain(
      `gateway ended unexpectedly, so everything stops. Its log: ${folder}/logs/gateway.log`,
    )
    expect(children.filter(isRunning)).toEqual([])
    expect(existsSync(join(folder, 'running.json'))).toBe(false)
  })

  function start(environment: Record<string, string> = {}): Launched {
    return launch(['start'], { DATA_DIR: folder, PORT: String(port), ...environment })
  }

  function lockHolder(): number {
    const { pid } = readLock(join(folder, 'running.json')) ?? {}
    if (pid === undefined) throw new Error(`Nothing runs here any more:\n${running.output()}`)
    return pid
  }

  function readDemo(): { base_url: string; stores: { id: string; game: string; api_key: string }[] } {
    return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))
  }
})

/** Without an id it would be 0, which means the whole test run. */
function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('The process to be killed does not run.')
  process.kill(pid, 'SIGKILL')
}

describe('a start that cannot be', () => {
  it.each([
    [['start', '--rest'], {}, 'Unknown argument "--rest". Known: --reset, --help.'],
    [['start'], { PORT: 'abc' }, 'Invalid settings: PORT must be a whole number from 1 to 65535.'],
    [['start'], { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, 'DATABASE_URL: no usable Postgres at 127.0.0.1:1'],
    [['admin', 'list-stores'], {}, 'Nothing runs here. Start Storekeep first: npm start'],
    [['seed', '--stores', '127.0.0.1:1'], {}, 'The demo stores could not be made with --stores 127.0.0.1:1 and'],
    [['nonsense'], {}, 'There is no command "nonsense".'],
  ])('%s %o: is told in one line', async (args, environment, line) => {
    const folder = mkdtempSync(join(tmpdir(), 'storekeep-start-'))
    const port = String(await freePort())
    const failed = launch(args, { DATA_DIR: folder, PORT: port, ...environment })
    expect(await failed.ended).toBe(1)
    expect(failed.output()).toContain(line)
    expect(failed.output()).not.toContain('    at ')
    rmSync(folder, { recursive: true, force: true })
  })
})
