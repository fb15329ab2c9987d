import { isFault, type Violation } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { Customer } from '@storekeep/proto/customers/v1/customer'
import type { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import type { BuyerIdentities } from '../sessions/domain/buyer.ts'
import type { PlatformAccount } from '../sessions/domain/checkout-input.ts'

/** The customers of the caller's store. */
export function createCustomerDirectory(customers: UsedRpcs): CustomerDirectory {
  return {
    async find(customerId, call) {
      try {
        const { customer } = await customers.getCustomer({ customerId }, onBehalfOf(call))
        return customer && identitiesOf(customer)
      } catch (error) {
        if (isFault(error, 'not-found')) return undefined
        throw error
      }
    },
    async findOrCreate(account, call) {
      try {
        const { customer } = await customers.findOrCreateCustomer({ ...account }, onBehalfOf(call))
        if (!customer) throw new Error('FindOrCreateCustomer returned no customer')
        return { customerId: customer.id, violations: [] }
      } catch (error) {
        if (!isFault(error, 'validation-failed')) throw error
        return { customerId: undefined, violations: error.violations }
      }
    },
  }
}

export interface CustomerDirectory {
  /** @returns undefined if the store has no such customer @throws ServiceFault `service-unavailable` */
  find(customerId: string, call: Call): Promise<BuyerIdentities | undefined>
  /**
   * Finds or creates the customer of an account, or returns the violations in the account.
   * @throws ServiceFault `service-unavailable`
   */
  findOrCreate(account: PlatformAccount, call: Call): Promise<FoundCustomer>
}

/** Concurrent lookups of one order, so that a large order does not flood the customers service. */
export const lookupsPerOrder = 8

interface FoundCustomer {
  customerId: string | undefined
  violations: readonly Violation[]
}

type UsedRpcs = Pick<Client<typeof CustomersService>, 'getCustomer' | 'findOrCreateCustomer'>

function identitiesOf(customer: Customer): BuyerIdentities {
  const { id, name, minecraft, steamId, minecraftUuid, xboxXuid } = customer
  const names = [name, minecraft?.name].filter((one) => one !== undefined)
  return { customerId: id, names, steamId, minecraftUuid, xboxXuid }
}
