import { type Client, createClient, type Transport } from '@storekeep/common/grpc'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'

export type StoresClient = Client<typeof StoresService>

/** Deadlines come with each call, retries with the transport (`@storekeep/common/grpc`). */
export function createStoresClient(transport: Transport): StoresClient {
  return createClient(StoresService, transport)
}
