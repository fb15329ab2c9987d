import { isFault, unavailableIfInternal } from '@storekeep/common/errors'
import { type Call, type Client, createClient, createGrpcTransport, onBehalfOf } from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import type { Metrics } from '@storekeep/common/telemetry'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'

/** The portal sessions of the customers service. */
export type PortalSessions = ReturnType<typeof createPortalSessions>

/** Connects to the customers service. */
export function connectCustomers(
  address: string,
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): { portalSessions: PortalSessions; close(): void } {
  const transport = createGrpcTransport({ to: 'customers', address, identity, metrics })
  return { portalSessions: createPortalSessions(createClient(CustomersService, transport)), close: transport.close }
}

function createPortalSessions(customers: Pick<Client<typeof CustomersService>, 'getPortalCustomer'>) {
  return {
    /**
     * The customer of a session in the store of the call. Not cached, so that an ended session is rejected as soon as the call that
     * ended it has returned.
     * @throws ServiceFault `unauthorized` for an unknown, expired or revoked session, `service-unavailable` without a response
     */
    async customerOf(secret: string, call: Call): Promise<string> {
      const { customer } = await customers.getPortalCustomer({ secret }, onBehalfOf(call)).catch((error: unknown) => {
        throw isFault(error, 'unauthorized') ? error : unavailableIfInternal(error)
      })
      if (!customer) throw new Error('customers returned no customer')
      return customer.id
    },
  }
}
