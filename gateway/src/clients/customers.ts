import { type Client, createClient, type Transport } from '@storekeep/common/grpc'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'

export type CustomersClient = Client<typeof CustomersService>

/** Deadlines come with each call, retries with the transport (`@storekeep/common/grpc`). */
export function createCustomersClient(transport: Transport): CustomersClient {
  return createClient(CustomersService, transport)
}
