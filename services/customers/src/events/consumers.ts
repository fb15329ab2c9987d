import { type Consumer, createConsumer } from '@storekeep/common/events'
import type { CustomersConfig } from '../config.ts'
import { type AppContext, service } from '../context.ts'
import { onCustomerCreated } from './on-customer-created.ts'
import { onCustomerUpdated } from './on-customer-updated.ts'

/** What this service listens to. Nothing at all while no provider is configured that could be asked. */
export function createConsumers(ctx: AppContext, config: CustomersConfig): Consumer[] {
  const { profiles, database, nats, log, metrics } = ctx
  if (!profiles.knowsSteam && !profiles.knowsMinecraft) return []
  return [
    createConsumer({
      database,
      nats,
      stream: config.events.stream,
      name: `${service}-profiles`,
      filterSubject: 'customers.customer.>',
      handlers: [onCustomerCreated(ctx), onCustomerUpdated(ctx)],
      deliver: 'every',
      log,
      metrics,
    }),
  ]
}
