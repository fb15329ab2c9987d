import { errors } from '@storekeep/common/errors'
import { useFakeService } from '@storekeep/common/testing'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'

/** A customers service over real gRPC, for all tests of a file. Knows the portal sessions that `signIn` has created. */
export function useFakeCustomers() {
  const sessions = new Map<string, { storeId: string; customerId: string }>()
  const fake = {
    outage: false,
    /** How often a session was checked. */
    checks: 0,
    /** @returns the secret of a portal session */
    signIn({ storeId, customerId }: { storeId: string; customerId: string }): string {
      const secret = `secret-${sessions.size}`
      sessions.set(secret, { storeId, customerId })
      return secret
    },
    signOut: (secret: string) => void sessions.delete(secret),
  }
  const service = useFakeService(CustomersService, {
    async getPortalCustomer({ secret }, { storeId }) {
      fake.checks += 1
      if (fake.outage) throw errors.unavailable()
      const session = sessions.get(secret)
      if (!session || session.storeId !== storeId) throw errors.unauthorized()
      return { customer: { id: session.customerId } }
    },
  })
  return Object.assign(fake, { address: () => service.address })
}
