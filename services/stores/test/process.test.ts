import {
  createTestHome,
  expectGracefulStop,
  operator,
  spawnEntry,
  spawnService,
  type TestHome,
} from '@storekeep/common/testing'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings, storeRequest } from './harness.ts'

const entry = new URL('../src/main.ts', import.meta.url)
const start = () => spawnService(entry, StoresService, home.env)

let home: TestHome
let running: Awaited<ReturnType<typeof start>>
beforeAll(async () => {
  home = await createTestHome('stores', settings)
  running = await start()
})
afterAll(async () => {
  running.transport.close()
  running.child.kill()
  await running.exited
  await home.drop()
})

describe('the process', () => {
  it('names every missing or invalid setting in one line', async () => {
    const { DATABASE_URL: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], {
      ...env,
      API_KEY_PEPPER: 'short',
    }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Invalid settings: DATABASE_URL is missing; API_KEY_PEPPER must be comma-separated keys of 32 bytes in base64url.\n',
    })
  })

  it.each(['true', 'false'])('does not start in another cell than its schema, with MIGRATE=%s', async (migrate) => {
    const { code, stderr } = await spawnEntry(entry, [], { ...home.env, CELL: '1', MIGRATE: migrate }).exited
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Start failed: CELL is 1, but the database was created for cell 0. Set CELL=0, or change DATABASE_URL.\n',
    })
  })

  it('reports a port in use in one line and exits', async () => {
    const port = running.address.split(':')[1] ?? ''
    const second = await spawnEntry(entry, [], { ...home.env, GRPC_PORT: port }).exited
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Start failed: [^\n]*EADDRINUSE[^\n]*\n$/),
    })
  })

  it('reports an unreachable database in one line and exits', async () => {
    const url = 'postgres://stores:secret-word@127.0.0.1:1/storekeep'
    const { code, stderr } = await spawnEntry(entry, [], {
      ...home.env,
      DATABASE_URL: url,
    }).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Start failed: [^\n]*ECONNREFUSED[^\n]*\n$/)
    expect(stderr).not.toContain('secret-word')
  })

  // The last test, because it stops the process.
  it('finishes in-flight calls on SIGTERM and exits', async () => {
    const create = () => running.client.createStore(storeRequest(), operator())
    await expectGracefulStop(running, create, { databaseUrl: home.databaseUrl, table: 'store' })
  })
})
