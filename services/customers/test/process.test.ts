import { createTestHome, expectGracefulStop, spawnEntry, spawnService, type TestHome } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inStore, newSteamId, settings } from './harness.ts'

let home: TestHome
beforeAll(async () => {
  home = await createTestHome('customers', settings)
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it.each([{}, { PROFILE_PROVIDERS: 'mojang', MOJANG_BASE_URL: 'http://127.0.0.1:1' }])(
    'finishes in-flight calls on SIGTERM and exits (%o)',
    async (change) => {
      const spawned = await spawnService(entry, CustomersService, {
        ...home.env,
        ...change,
      })
      const create = () => spawned.client.createCustomer({ customer: { steamId: newSteamId() } }, inStore())
      await expectGracefulStop(spawned, create)
    },
  )

  it('names every missing or invalid setting in one line', async () => {
    const { DATABASE_URL: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], {
      ...env,
      TOKEN_KEYS: '1:short',
    }).exited
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Invalid settings: DATABASE_URL is missing; TOKEN_KEYS must be <id[^\n]*\.\n$/)
  })
})
