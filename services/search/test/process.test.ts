import { createTestHome, expectGracefulStop, spawnEntry, spawnService, type TestHome } from '@storekeep/common/testing'
import { SearchService } from '@storekeep/proto/search/v1/search_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useFakeOwners } from './fake-owners.ts'
import { inStore } from './harness.ts'

const owners = useFakeOwners()
let home: TestHome
beforeAll(async () => {
  home = await createTestHome('search', {})
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('finishes the calls in flight on SIGTERM and exits', async () => {
    const env = { ...home.env, ...owners.addressSettings() }
    const spawned = await spawnService(entry, SearchService, env)
    await expectGracefulStop(spawned, () => spawned.client.search({ query: 'robin' }, inStore()))
  })

  it('reports missing and invalid settings in one line', async () => {
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...home.env, GRPC_PORT: 'x' }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Invalid settings: GRPC_PORT must be a whole number from 0 to 65535; CUSTOMERS_ADDRESS is missing; BANS_ADDRESS is ' +
        'missing; COUPONS_ADDRESS is missing; CUSTOM_VARIABLES_ADDRESS is missing; CHECKOUT_ADDRESS is missing; ORDERS_ADDRESS is ' +
        'missing; DELIVERY_ADDRESS is missing.\n',
    })
  })
})
