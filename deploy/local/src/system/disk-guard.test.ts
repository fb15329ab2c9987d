import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startPostgres } from '../infra/index.ts'
import { createReadOnlySwitch, guardDisk } from './disk-guard.ts'

const mb = 1024 * 1024
const patient = { timeout: 60_000 }

describe('a full disk', () => {
  let folder: string
  let server: RunningServer
  let client: pg.Client
  const stopping = new AbortController()
  const notices: string[] = []
  const scope = { stopping: stopping.signal, progress: { notice: (text: string) => void notices.push(text) } }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'storekeep-disk-'))
    server = await startPostgres({ dataDir: join(folder, 'postgres'), fast: true })
    client = new pg.Client({ connectionString: server.url })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('create table kept (value int)')
  })

  afterAll(async () => {
    stopping.abort()
    await client.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('refuses writes and serves reads from the reserve, also in open connections, until there is space', async () => {
    let free = 1000 * mb
    const setReadOnly = createReadOnlySwitch(server.url)
    await guardDisk({ folder, setReadOnly, measure: async () => free }, scope)
    const insert = () => client.query('insert into kept values (1)')
    await insert()
    expect(existsSync(join(folder, 'reserve'))).toBe(true)

    free = 31 * mb
    await vi.waitFor(() => expect(insert()).rejects.toMatchObject({ code: '25006' }), patient)
    expect((await client.query('select value from kept')).rowCount).toBeGreaterThan(0)
    expect(existsSync(join(folder, 'reserve'))).toBe(false)

    // The released reserve alone does not count as space.
    free = 127 * mb
    await expect(insert()).rejects.toMatchObject({ code: '25006' })
    free = 128 * mb
    await vi.waitFor(insert, patient)
    await vi.waitFor(() => expect(existsSync(join(folder, 'reserve'))).toBe(true), patient)
    expect(notices).toEqual([
      `The disk of ${folder} is full: writes are refused until 128 MB are free`,
      `The disk of ${folder} has space again: writes are accepted`,
    ])
  })

  it('is reported at the start', async () => {
    const options = { folder, setReadOnly: async () => undefined, measure: async () => 127 * mb }
    await expect(guardDisk(options, scope)).rejects.toThrow(
      `The disk of ${folder} is full: Storekeep needs 128 MB of free space to start.`,
    )
  })
})
