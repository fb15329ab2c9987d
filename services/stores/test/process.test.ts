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

let home: TestHome
beforeAll(async () => {
  home = await createTestHome('stores', settings)
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('finishes in-flight calls on SIGTERM and exits', async () => {
    const spawned = await spawnService(entry, StoresService, home.env)
    const create = () => spawned.client.createStore(storeRequest(), operator())
    await expectGracefulStop(spawned, create, { databaseUrl: home.databaseUrl, table: 'store' })
  })

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

  it.each(['true', 'false'])(
    'refuses to start in another cell than that of its schema, with MIGRATE=%s',
    async (migrate) => {
      const first = await spawnService(entry, StoresService, home.env)
      first.transport.close()
      first.child.kill('SIGTERM')
      await first.exited
      const { code, stderr } = await spawnEntry(entry, [], { ...home.env, CELL: '1', MIGRATE: migrate }).exited
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          'Start failed: CELL is 1, but the database was created for cell 0. Set CELL=0, or change DATABASE_URL.\n',
      })
    },
  )

  it('reports a port in use in one line and exits', async () => {
    const { child, exited, address, transport } = await spawnService(entry, StoresService, home.env)
    const port = address.split(':')[1] ?? ''
    const second = await spawnEntry(entry, [], { ...home.env, GRPC_PORT: port }).exited
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Start failed: [^\n]*EADDRINUSE[^\n]*\n$/),
    })
    transport.close()
    child.kill('SIGTERM')
    expect((await exited).code).toBe(0)
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
})
