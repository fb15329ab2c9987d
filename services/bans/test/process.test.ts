import { createTestHome, expectGracefulStop, spawnEntry, spawnService, type TestHome } from '@storekeep/common/testing'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inStore, newIdentity } from './harness.ts'

let home: TestHome
beforeAll(async () => {
  home = await createTestHome('bans', {})
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('finishes in-flight calls on SIGTERM and exits', async () => {
    const spawned = await spawnService(entry, BansService, home.env)
    const create = () => spawned.client.createBan({ ban: { identities: [newIdentity()] } }, inStore())
    await expectGracefulStop(spawned, create)
  })

  it('names every missing or invalid setting in one line', async () => {
    const { DATABASE_URL: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...env, GRPC_PORT: 'x' }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Invalid settings: DATABASE_URL is missing; GRPC_PORT must be a whole number from 0 to 65535.\n',
    })
  })
})
