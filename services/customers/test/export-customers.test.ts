import { fromBinary } from '@bufbuild/protobuf'
import { exportAll } from '@storekeep/common/testing'
import { CustomerSchema } from '@storekeep/proto/customers/v1/customer'
import { expect, it } from 'vitest'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

const customers = useCustomers()

it('exports customers in their last published state', async () => {
  const options = inStore()
  const created = await createTestCustomer(customers, options)
  await createTestCustomer(customers, inStore())
  await customers.client.updateCustomer(
    {
      customerId: created.id,
      customer: { name: 'Ärger', metadata: { rank: 'vip' }, steamId: newSteamId() },
      updateMask: { paths: ['name', 'metadata', 'steam_id'] },
    },
    options,
  )
  const { customer } = await customers.client.getCustomer({ customerId: created.id }, options)
  const { records } = await exportAll(customers.running, 'customer')
  expect(records.length).toBe(2)
  const record = records.find(({ id }) => id === created.id)
  expect(record).toMatchObject({ storeId: options.storeId, version: 2n })
  expect(fromBinary(CustomerSchema, record?.record ?? new Uint8Array())).toEqual(customer)
})
