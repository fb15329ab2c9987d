import { type ErrorCode, errors, ServiceFault } from '@storekeep/common/errors'
import {
  type Client,
  createClient,
  createGrpcTransport,
  type Transport,
  type UnaryService,
} from '@storekeep/common/grpc'
import type { Metrics } from '@storekeep/common/telemetry'
import type { TlsIdentity } from '@storekeep/common/tls'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { CouponsService } from '@storekeep/proto/coupons/v1/coupons_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { CheckoutConfig } from '../config.ts'

/** Clients of the services that are asked about an order. */
export function connectServices(
  addresses: CheckoutConfig['services'],
  { metrics, tls }: { metrics: Metrics; tls: TlsIdentity | undefined },
): { others: OtherServices; close(): void } {
  const closes: (() => void)[] = []
  function connect<S extends UnaryService>(service: S, address: string): Client<S> {
    const transport = createGrpcTransport({ address, metrics, tls })
    closes.push(transport.close)
    const unary: Transport['unary'] = async (method, request, options) => {
      try {
        return await transport.unary(method, request, options)
      } catch (error) {
        throw isOurs(error) ? errors.unavailable(error) : error
      }
    }
    return createClient(service, { ...transport, unary })
  }
  return {
    others: {
      stores: connect(StoresService, addresses.stores),
      customers: connect(CustomersService, addresses.customers),
      bans: connect(BansService, addresses.bans),
      coupons: connect(CouponsService, addresses.coupons),
      customVariables: connect(CustomVariablesService, addresses.customVariables),
    },
    close() {
      for (const close of closes) close()
    },
  }
}

/** What no caller can help: a mistake of the other service, or of ours in calling it. */
function isOurs(error: unknown): boolean {
  return error instanceof ServiceFault && ourFaults.has(error.code)
}

const ourFaults = new Set<ErrorCode>(['internal-error', 'unauthorized', 'forbidden', 'bad-request'])

export interface OtherServices {
  stores: Client<typeof StoresService>
  customers: Client<typeof CustomersService>
  bans: Client<typeof BansService>
  coupons: Client<typeof CouponsService>
  customVariables: Client<typeof CustomVariablesService>
}
