import {
  bind,
  createClient,
  createGrpcServer,
  createGrpcTransport,
  type Handlers,
  onBehalfOf,
} from '@storekeep/common/grpc'
import { createLogger } from '@storekeep/common/log'
import { createMetrics } from '@storekeep/common/telemetry'
import { CustomersService, type VerifyTokenResponse } from '@storekeep/proto/customers/v1/customers_service'

/**
 * Starts a proxy of the customers service that caches accepted tokens, which the product must never do. Negative control
 * of the revocation test.
 */
export async function startAcceptCache(customersAddress: string, lifetimeMs: number): Promise<AcceptCache> {
  const transport = createGrpcTransport({ address: customersAddress })
  const customers = createClient(CustomersService, transport)
  const cached = new Map<string, { response: VerifyTokenResponse; until: number }>()
  const forwarding = Object.fromEntries(
    Object.values(CustomersService.method).map((method) => [
      method.localName,
      (request: never, call: Parameters<typeof onBehalfOf>[0]) =>
        customers[method.localName as keyof typeof customers](request, {
          ...onBehalfOf(call),
          idempotency: call.idempotency,
        }),
    ]),
  ) as unknown as Handlers<typeof CustomersService>

  const server = createGrpcServer({
    services: [
      bind(CustomersService, {
        ...forwarding,
        async verifyToken(request, call) {
          const known = cached.get(request.token)
          if (known && known.until > performance.now()) return known.response
          const response = await customers.verifyToken(request, onBehalfOf(call))
          cached.set(request.token, { response, until: performance.now() + lifetimeMs })
          return response
        },
      }),
    ],
    log: createLogger({ service: 'accept-cache', level: 'silent' }),
    metrics: createMetrics({ service: 'accept-cache' }),
    ready: async () => true,
  })
  const port = await server.listen('127.0.0.1', 0)
  return {
    address: `127.0.0.1:${port}`,
    stop: async () => {
      await server.stop(1_000)
      transport.close()
    },
  }
}

export interface AcceptCache {
  address: string
  stop(): Promise<void>
}
