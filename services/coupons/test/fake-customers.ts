import { errors } from '@storekeep/common/errors'
import { randomId, useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'

/** A customers service with the customers of the test, over real gRPC, for all tests of a file. */
export function useFakeCustomers(): FakeCustomers {
  const stores = new Map<string, string>()
  const service = useFakeService(CustomersService, {
    getCustomer: async ({ customerId }, { storeId = '' }) => {
      if (fake.isUnavailable) throw errors.unavailable()
      if (stores.get(customerId) !== storeId) throw errors.notFound('customer')
      return { customer: { id: customerId, storeId } }
    },
  })
  const fake = Object.assign(service, {
    isUnavailable: false,
    add(storeId: string) {
      const id = randomId()
      stores.set(id, storeId)
      return id
    },
  })
  return fake
}

export interface FakeCustomers {
  /** Known when the tests run. */
  address: string
  /** Makes every call fail with 503. */
  isUnavailable: boolean
  /** @returns the id of a new customer of the store */
  add(storeId: string): string
}
