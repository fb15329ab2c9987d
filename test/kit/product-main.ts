import { type Running, runProcess } from '@storekeep/common/lifecycle'
import { readConfig as readGatewayConfig } from '../../gateway/src/config.ts'
import { start as startGateway } from '../../gateway/src/start.ts'
import { readConfig as readBansConfig } from '../../services/bans/src/config.ts'
import { bans } from '../../services/bans/src/service.ts'
import { readConfig as readCheckoutConfig } from '../../services/checkout/src/config.ts'
import { checkout } from '../../services/checkout/src/service.ts'
import { readConfig as readCouponsConfig } from '../../services/coupons/src/config.ts'
import { coupons } from '../../services/coupons/src/service.ts'
import { readConfig as readCustomVariablesConfig } from '../../services/custom-variables/src/config.ts'
import { customVariables } from '../../services/custom-variables/src/service.ts'
import { readConfig as readCustomersConfig } from '../../services/customers/src/config.ts'
import { customers } from '../../services/customers/src/service.ts'
import { readConfig as readDeliveryConfig } from '../../services/delivery/src/config.ts'
import { delivery } from '../../services/delivery/src/service.ts'
import { readConfig as readEmailsConfig } from '../../services/emails/src/config.ts'
import { emails } from '../../services/emails/src/service.ts'
import { readConfig as readImagesConfig } from '../../services/images/src/config.ts'
import { images } from '../../services/images/src/service.ts'
import { readConfig as readOrdersConfig } from '../../services/orders/src/config.ts'
import { orders } from '../../services/orders/src/service.ts'
import { readConfig as readPagesConfig } from '../../services/pages/src/config.ts'
import { start as startPages } from '../../services/pages/src/start.ts'
import { readConfig as readSearchConfig } from '../../services/search/src/config.ts'
import { search } from '../../services/search/src/service.ts'
import { readConfig as readStoresConfig } from '../../services/stores/src/config.ts'
import { stores } from '../../services/stores/src/service.ts'
import { readConfig as readWebhooksConfig } from '../../services/webhooks/src/config.ts'
import { webhooks } from '../../services/webhooks/src/service.ts'
import type { Settings } from './service-process.ts'

const starts: Record<string, (settings: Settings) => Promise<Running>> = {
  'services/stores': (settings) => stores.start(readStoresConfig(settings)),
  'services/customers': (settings) => customers.start(readCustomersConfig(settings)),
  'services/bans': (settings) => bans.start(readBansConfig(settings)),
  'services/coupons': (settings) => coupons.start(readCouponsConfig(settings)),
  'services/custom-variables': (settings) => customVariables.start(readCustomVariablesConfig(settings)),
  'services/checkout': (settings) => checkout.start(readCheckoutConfig(settings)),
  'services/orders': (settings) => orders.start(readOrdersConfig(settings)),
  'services/delivery': (settings) => delivery.start(readDeliveryConfig(settings)),
  'services/emails': (settings) => emails.start(readEmailsConfig(settings)),
  'services/webhooks': (settings) => webhooks.start(readWebhooksConfig(settings)),
  'services/images': (settings) => images.start(readImagesConfig(settings)),
  'services/search': (settings) => search.start(readSearchConfig(settings)),
  'services/pages': (settings) => startPages(readPagesConfig(settings)),
  gateway: (settings) => startGateway(readGatewayConfig(settings)),
}

function startPart(folder: string, settings: Settings): Promise<Running> {
  const start = starts[folder]
  if (start === undefined) throw new Error(`Unknown part of the product: ${folder}.`)
  return start(settings)
}

/**
 * Entry file of `startProduct`: every service, the pages and the gateways in this process. They listen on ports and call each other
 * over gRPC as in production; only loading and compiling the code happens once instead of fifteen times.
 */
await runProcess(async () => {
  const parts = JSON.parse(process.env.PRODUCT_PARTS ?? '[]') as [folder: string, settings: Settings][]
  const running = await Promise.all(parts.map(([folder, settings]) => startPart(folder, settings)))
  const [first] = running
  if (first === undefined) throw new Error('PRODUCT_PARTS is empty.')
  return {
    ...first,
    stop: async () => void (await Promise.all(running.map((part) => part.stop()))),
  }
})
