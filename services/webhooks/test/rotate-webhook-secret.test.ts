import { faultOf, violationsOf, withKey } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestEndpoint, inStore, signingSecrets, useWebhooks } from './harness.ts'

const webhooks = useWebhooks()

/** An endpoint whose secret can be rotated, and the secrets that sign `afterMs` from now. */
async function createRotating() {
  const options = inStore()
  const { endpoint, secret: first } = await createTestEndpoint(webhooks, options)
  return {
    options,
    endpoint,
    first,
    rotate: async (overlapSeconds?: number, given = options) =>
      await webhooks.client.rotateWebhookSecret({ webhookEndpointId: endpoint.id, overlapSeconds }, given),
    secrets: (afterMs = 0) =>
      signingSecrets(
        webhooks.database,
        webhooks.config.secrets,
        endpoint,
        new Date(webhooks.clock.now().getTime() + afterMs),
      ),
  }
}
const hour = 3_600_000

describe('RotateWebhookSecret', () => {
  it('lets the earlier secret sign for another day', async () => {
    const { first, endpoint, options, rotate, secrets } = await createRotating()
    const { secret, webhookEndpoint } = await rotate()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhookEndpoint).toMatchObject({ id: endpoint.id, updatedBy: options.actor, version: 2n })
    expect(await secrets(23 * hour)).toEqual([secret, first])
    expect(await secrets(25 * hour)).toEqual([secret])
  })

  it('ends the earlier secrets immediately without an overlap', async () => {
    const { rotate, secrets } = await createRotating()
    await rotate()
    const { secret } = await rotate(0)
    expect(await secrets()).toEqual([secret])
  })

  it('never extends a secret that ends earlier', async () => {
    const { rotate, secrets } = await createRotating()
    const { secret: second } = await rotate(60)
    const { secret: third } = await rotate(3600)
    expect(await secrets(120_000)).toEqual([third, second])
  })

  it('lets five secrets sign at most, the newest ones', async () => {
    const { rotate, secrets } = await createRotating()
    const created: string[] = []
    for (let n = 0; n < 6; n++) created.unshift((await rotate()).secret)
    expect(await secrets()).toEqual(created.slice(0, 5))
  })

  it('rejects an overlap of more than a week', async () => {
    const { rotate } = await createRotating()
    expect(await violationsOf(rotate(-1))).toEqual(['overlap_seconds min'])
    expect(await violationsOf(rotate(604_801))).toEqual(['overlap_seconds max'])
  })

  it('returns the same secret to a retry with the same key', async () => {
    const { options, rotate, secrets } = await createRotating()
    const keyed = withKey(options)
    const { secret } = await rotate(undefined, keyed)
    expect((await rotate(undefined, keyed)).secret).toBe(secret)
    expect(await secrets()).toHaveLength(2)
  })

  it('does not find endpoints of other stores', async () => {
    const { rotate } = await createRotating()
    expect(await faultOf(rotate(0, inStore()))).toMatchObject({ code: 'not-found' })
  })
})
