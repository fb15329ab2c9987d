import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestCustomer, inStore, useCustomers } from './harness.ts'

const customers = useCustomers()
const get = (customerId: string, options = inStore()) => customers.client.getCustomer({ customerId }, options)

describe('GetCustomer', () => {
  it('answers the customer as it was made', async () => {
    const options = inStore()
    const customer = await createTestCustomer(customers, options, { name: 'Ada', metadata: { k: 'v' } })
    expect(await get(customer.id, options)).toMatchObject({ customer })
  })

  it('does not find an id that nobody has', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('does not find a customer of another store', async () => {
    const customer = await createTestCustomer(customers, inStore())
    expect(await faultOf(get(customer.id))).toMatchObject({ code: 'not-found' })
  })

  it('refuses a request without an id', async () => {
    expect(await violationsOf(get(''))).toEqual(['customer_id required'])
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['customer_id format'])
  })
})
