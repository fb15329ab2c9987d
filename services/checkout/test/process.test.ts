import { createTestHome, expectGracefulStop, spawnEntry, spawnService, type TestHome } from '@storekeep/common/testing'
import { CheckoutService } from '@storekeep/proto/checkout/v1/checkout_service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inline, inStore, settings, useFakeOthers } from './harness.ts'

const others = useFakeOthers()
let home: TestHome
beforeAll(async () => {
  home = await createTestHome('checkout', settings)
})
afterAll(() => home.drop())

const entry = new URL('../src/main.ts', import.meta.url)

describe('the process', () => {
  it('finishes the calls in flight on SIGTERM and exits', async () => {
    const env = { ...home.env, ...others.addresses() }
    const spawned = await spawnService(entry, CheckoutService, env)
    const options = inStore(undefined, { deadlineMs: 10_000 })
    const customerId = others.customers.add(options.storeId)
    const couponId = others.coupons.add()
    let created = 0
    await expectGracefulStop(spawned, async () => {
      await spawned.client.createCheckoutSession({ customerId, lines: [inline()], couponId }, options)
      created += 1
    })
    expect(others.coupons.reservationsOf(couponId)).toMatchObject({ reserved: created, confirmed: 0 })
  })

  it('reports missing and invalid settings in one line', async () => {
    const { BANS_ADDRESS: _, ...env } = home.env
    const { code, stdout, stderr } = await spawnEntry(entry, [], { ...env, CHECKOUT_BASE_URL: 'x' }).exited
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Invalid settings: BANS_ADDRESS is missing; CHECKOUT_BASE_URL must be a URL that starts with http:// or https://.\n',
    })
  })
})
