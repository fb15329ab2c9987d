import { errors, violation } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import { customerMessage } from './fake-services.ts'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway()

/** The delivery service without copies of these records, which have these paths in the request. */
function withoutCopies(...paths: string[]) {
  const violations = paths.map((path) => violation(path, 'reference', 'must exist'))
  gateway.services.overrides.grantDeliveryItems = () => Promise.reject(errors.validationFailed(violations))
}

/** Lets only these customers and products exist. */
function existing(given: { customers?: string[]; products?: { id: string; versionId: string }[] }) {
  gateway.services.overrides.listCustomers = async ({ customerIds }: { customerIds: string[] }) => ({
    customers: customerIds.filter((id) => given.customers?.includes(id)).map((id) => customerMessage(id, newId())),
  })
  gateway.services.overrides.listProducts = async ({ ids }: { ids: string[] }) => ({
    products: (given.products ?? []).filter(({ id, versionId }) => ids.includes(id) || ids.includes(versionId)),
  })
}

const callsOf = (name: string) => gateway.services.calls.filter((call) => call.name === name)

describe('grants of records that the delivery service does not know', () => {
  const [customer_id, product_id, product_version_id] = [newId(), newId(), newId()]
  const product = { id: product_id, versionId: product_version_id }
  const grants = [
    { customer_id, product_id },
    { customer_id, product_version_id },
  ]
  const paths = ['0.customer_id', '1.customer_id', '0.product_id', '1.product_version_id']
  const grant = (json: object = grants) => gateway.newStore().send('POST', '/delivery/items', { json })

  it('fail immediately, and name them, if they do not exist', async () => {
    withoutCopies(...paths)
    existing({})
    const response = await grant()
    expect(response.status).toBe(400)
    expect(itemsOf(response)).toEqual(paths.map((path) => `${path} reference`))
    expect(callsOf('grantDeliveryItems')).toHaveLength(1)
  })

  it('succeed when their events arrive, if they exist', async () => {
    withoutCopies(...paths)
    existing({ customers: [customer_id], products: [product] })
    gateway.services.overrides.listProducts = async () => {
      delete gateway.services.overrides.grantDeliveryItems
      return { products: [product] }
    }
    expect((await grant()).status).toBe(200)
    expect(callsOf('grantDeliveryItems')).toHaveLength(2)
  })

  it('are unavailable, if they exist and their events do not arrive', async () => {
    withoutCopies(...paths)
    existing({ customers: [customer_id], products: [product] })
    const response = await grant()
    expect(response.body).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(response.headers['retry-after']).toBe('1')
  })

  it('fail, and name only what does not exist, if other records exist', async () => {
    withoutCopies('0.customer_id', '0.product_id', '1.product_version_id', '1.execute_on_gameserver_id')
    existing({ customers: [customer_id], products: [{ id: newId(), versionId: product_version_id }] })
    const response = await grant()
    expect(itemsOf(response)).toEqual(['0.product_id reference', '1.execute_on_gameserver_id reference'])
    // An id of the wrong kind does not count.
    existing({ customers: [customer_id, product_id], products: [{ id: newId(), versionId: product_id }] })
    expect(itemsOf(await grant())).toContain('0.product_id reference')
  })

  it('for one customer name the fields without an index', async () => {
    withoutCopies('product_id')
    existing({})
    const one = (json: object) => gateway.newStore().send('POST', `/customers/${customer_id}/delivery/items`, { json })
    expect(itemsOf(await one({ product_id }))).toEqual(['product_id reference'])
    existing({ products: [product] })
    expect((await one({ product_id })).status).toBe(503)
  })
})
