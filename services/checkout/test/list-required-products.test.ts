import { faultOf, internal, violationsOf } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { describe, expect, it } from 'vitest'
import { inline, newBuyer, ofProduct, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()

/** A session whose second line requires two products that its buyer owns. */
async function aSession(requiredProductAll: boolean) {
  const { options, customerId } = newBuyer(checkouts)
  const vip = await checkouts.addProduct(options, { name: 'VIP' })
  const mvp = await checkouts.addProduct(options, { name: 'MVP' })
  checkouts.others.delivery.own(customerId, vip, mvp)
  const plus = await checkouts.addProduct(options, { requiredProductIds: [mvp, vip], requiredProductAll })
  const lines = [inline(), ofProduct(plus)]
  const { token } = await checkouts.client.createCheckoutSession({ customerId, lines }, options)
  return { token, page: ofPage(options.storeId) }
}

/** Options of a call of the page. */
function ofPage(storeId: string) {
  return internal({ storeId, actor: { type: ActorType.ANONYMOUS } })
}

describe('the required products of a line', () => {
  it.each([true, false])('have their names, in the order of the product; all required: %s', async (all) => {
    const { token, page } = await aSession(all)
    expect(await checkouts.client.listRequiredProducts({ token, position: 2 }, page)).toMatchObject({
      names: ['MVP', 'VIP'],
      all,
    })
    expect(await checkouts.client.listRequiredProducts({ token, position: 1 }, page)).toMatchObject({ names: [] })
  })

  it('are unknown for a line that does not exist, and in another store', async () => {
    const { token, page } = await aSession(true)
    for (const position of [-1, 0, 3]) {
      const rejected = checkouts.client.listRequiredProducts({ token, position }, page)
      expect(await violationsOf(rejected)).toEqual(['position reference'])
    }
    const foreign = checkouts.client.listRequiredProducts(
      { token, position: 2 },
      ofPage(newBuyer(checkouts).options.storeId),
    )
    expect(await faultOf(foreign)).toMatchObject({ code: 'not-found' })
  })
})
