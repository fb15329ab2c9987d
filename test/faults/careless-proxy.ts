import { errors } from '@storekeep/common/errors'
import {
  bind,
  type CallOptions,
  type Client,
  createClient,
  createGrpcServer,
  type Handlers,
  onBehalfOf,
  type Transport,
} from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { createTestTransport, testIdentity } from '@storekeep/common/testing/identity'
import { CustomersService, type VerifyTokenResponse } from '@storekeep/proto/customers/v1/customers_service'

/**
 * Starts a proxy of the customers service that does what the product must never do; for negative controls. Give its address
 * to a gateway as CUSTOMERS_ADDRESS, and connect it once the customers service has started.
 */
export async function startCarelessProxy(habits: Habits): Promise<CarelessProxy> {
  let transport: Transport | undefined
  let customers: Client<typeof CustomersService> | undefined
  const cached = new Map<string, { response: VerifyTokenResponse; until: number }>()

  function connected(): Client<typeof CustomersService> {
    if (!customers) throw errors.unavailable(new Error('The proxy is not connected.'))
    return customers
  }

  function optionsOf(call: Parameters<typeof onBehalfOf>[0]) {
    const forwarded = { ...onBehalfOf(call), idempotency: call.idempotency }
    return habits.ignoresCancellation ? { ...forwarded, signal: undefined, deadlineMs: 3_000 } : forwarded
  }

  const forwarding = Object.fromEntries(
    Object.values(CustomersService.method).map((method) => [
      method.localName,
      (request: never, call: Parameters<typeof onBehalfOf>[0]) => {
        const all = connected() as unknown as Record<string, (request: never, options: CallOptions) => Promise<object>>
        return all[method.localName]?.(request, optionsOf(call))
      },
    ]),
  ) as unknown as Handlers<typeof CustomersService>

  const server = createGrpcServer({
    identity: testIdentity('customers'),
    services: [
      bind(CustomersService, {
        ...forwarding,
        async verifyToken(request, call) {
          const known = cached.get(request.token)
          if (known && known.until > performance.now()) return known.response
          const response = await connected()
            .verifyToken(request, optionsOf(call))
            .catch((error: unknown) => {
              throw habits.rejectsUnverified ? errors.unauthorized() : error
            })
          cached.set(request.token, { response, until: performance.now() + (habits.acceptsForMs ?? 0) })
          return response
        },
      }),
    ],
    log: createLogger({ service: 'careless-proxy', level: 'silent' }),
    metrics: createMetrics({ service: 'careless-proxy' }),
    ready: async () => true,
  })
  const port = await server.listen('127.0.0.1', 0)
  return {
    address: `127.0.0.1:${port}`,
    connect(customersAddress) {
      transport = createTestTransport('customers', customersAddress)
      customers = createClient(CustomersService, transport)
    },
    stop: async () => {
      await server.stop(1_000)
      transport?.close()
    },
  }
}

interface Habits {
  /** Caches accepted tokens for this long. */
  acceptsForMs?: number
  /** Reports every token that cannot be verified as unauthorized, even during an outage. */
  rejectsUnverified?: boolean
  /** Continues calls whose caller has left or whose deadline has passed. */
  ignoresCancellation?: boolean
}

export interface CarelessProxy {
  readonly address: string
  connect(customersAddress: string): void
  stop(): Promise<void>
}
