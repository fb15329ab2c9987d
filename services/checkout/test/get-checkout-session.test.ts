import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { inStore, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const get = (checkoutId: string, options = inStore()) => checkouts.client.getCheckoutSession({ checkoutId }, options)

describe('GetCheckoutSession', () => {
  it('does not find an id that nobody has', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['checkout_id format'])
  })
})
