import { createHttpClient, type HttpClient } from './http-client.ts'
import { loadPublishedContract, type PublishedContract } from './published-contract.ts'
import { createSecretsRecord, findLeaks, readTraces, recordIssued, type SecretsRecord, type Trace } from './secrets.ts'
import { createShopper, type Shopper } from './shopper.ts'
import type { SystemAddress } from './system-address.ts'
import { createOperator, type Operator, type StoreOptions, type TestStore } from './test-store.ts'

/**
 * Connects a test to a running system, which another process may have started.
 * @param options.retries whether HTTP clients retry on 503, see `createHttpClient`
 */
export async function connectTo(address: SystemAddress, { retries = false } = {}): Promise<Connection> {
  const secrets = createSecretsRecord(address.secretsFile)
  const operator = createOperator(address, secrets)
  const shopper = createShopper(address)
  const contract = await loadPublishedContract(gatewayUrl(0))
  const clients: HttpClient[] = []

  function gatewayUrl(index: number): string {
    const url = address.gatewayUrls[index]
    if (url === undefined) throw new Error(`The system has no gateway ${index}.`)
    return url
  }

  function openGateway(index: number, { checked = true, maxSockets }: GatewayOptions = {}): HttpClient {
    const client = createHttpClient(gatewayUrl(index), {
      retries,
      onResponse: (response) => {
        if (response.status < 300) recordIssued(secrets, response.body)
        if (checked) contract.check(response)
      },
      ...(maxSockets !== undefined && { maxSockets }),
    })
    clients.push(client)
    return client
  }

  const http = openGateway(0)
  return {
    http,
    contract,
    operator,
    shopper,
    secrets,
    openGateway,
    createStore: (options) => operator.createStore(http, options),
    findLeaks: async (more = []) => findLeaks(secrets.all(), [...(await readTraces(address)), ...more]),
    disconnect: () => {
      operator.close()
      shopper.close()
      for (const client of clients) client.close()
    },
  }
}

export interface GatewayOptions {
  /** Whether each response is checked against /openapi.json; true unless given. Costs time at high rates. */
  checked?: boolean
  maxSockets?: number
}

export interface Connection {
  /** A client of the first gateway that validates each response. */
  readonly http: HttpClient
  readonly contract: PublishedContract
  readonly operator: Operator
  readonly shopper: Shopper
  readonly secrets: SecretsRecord
  /** Creates a client of one of the gateways. */
  openGateway(index: number, options?: GatewayOptions): HttpClient
  createStore(options?: StoreOptions): Promise<TestStore>
  /** Every place in logs, database, Redis and `more` that contains a recorded secret. */
  findLeaks(more?: readonly Trace[]): Promise<string[]>
  disconnect(): void
}
