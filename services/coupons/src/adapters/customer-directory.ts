import { errors, isFault } from '@storekeep/common/errors'
import { type Call, type Client, onBehalfOf } from '@storekeep/common/grpc'
import type { CustomersService } from '@storekeep/proto/customers/v1/customers_service'

/** The customers of the caller's store. */
export function createCustomerDirectory(
  customers: Pick<Client<typeof CustomersService>, 'getCustomer'>,
): CustomerDirectory {
  return {
    async exists(customerId, call) {
      try {
        await customers.getCustomer({ customerId }, onBehalfOf(call))
        return true
      } catch (error) {
        if (isFault(error, 'not-found')) return false
        throw errors.unavailable(error)
      }
    },
  }
}

export interface CustomerDirectory {
  /**
   * Whether the store has the customer.
   * @throws ServiceFault `service-unavailable`
   */
  exists(customerId: string, call: Call): Promise<boolean>
}
