import { unavailableIfInternal } from '@storekeep/common/errors'
import {
  type Client,
  createClient,
  createGrpcTransport,
  type Transport,
  type UnaryService,
} from '@storekeep/common/grpc'
import type { ProcessIdentity } from '@storekeep/common/identity'
import type { Metrics } from '@storekeep/common/telemetry'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import type { ServerName } from '@storekeep/proto/conventions/call-rights'
import { RedemptionsService } from '@storekeep/proto/coupons/v1/redemptions_service'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { CustomersService } from '@storekeep/proto/customers/v1/customers_service'
import { DeliveryItemsService } from '@storekeep/proto/delivery/v1/delivery_items_service'
import { GameServersService } from '@storekeep/proto/delivery/v1/game_servers_service'
import { StoresService } from '@storekeep/proto/stores/v1/stores_service'
import type { CheckoutConfig } from '../config.ts'

/** Clients of the services that checkout depends on. */
export function connectServices(
  addresses: CheckoutConfig['services'],
  { metrics, identity }: { metrics: Metrics; identity: ProcessIdentity },
): { others: OtherServices; close(): void } {
  const closes: (() => void)[] = []
  function connect<S extends UnaryService>(service: S, to: ServerName, address: string): Client<S> {
    const transport = createGrpcTransport({ to, address, identity, metrics })
    closes.push(transport.close)
    const unary: Transport['unary'] = async (method, request, options) => {
      try {
        return await transport.unary(method, request, options)
      } catch (error) {
        throw unavailableIfInternal(error)
      }
    }
    return createClient(service, { unary })
  }
  return {
    others: {
      stores: connect(StoresService, 'stores', addresses.stores),
      customers: connect(CustomersService, 'customers', addresses.customers),
      bans: connect(BansService, 'bans', addresses.bans),
      redemptions: connect(RedemptionsService, 'coupons', addresses.coupons),
      customVariables: connect(CustomVariablesService, 'custom-variables', addresses.customVariables),
      gameServers: connect(GameServersService, 'delivery', addresses.delivery),
      deliveryItems: connect(DeliveryItemsService, 'delivery', addresses.delivery),
    },
    close() {
      for (const close of closes) close()
    },
  }
}

export interface OtherServices {
  stores: Client<typeof StoresService>
  customers: Client<typeof CustomersService>
  bans: Client<typeof BansService>
  redemptions: Client<typeof RedemptionsService>
  customVariables: Client<typeof CustomVariablesService>
  gameServers: Client<typeof GameServersService>
  deliveryItems: Client<typeof DeliveryItemsService>
}
