import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf'
import { publishEvent } from '@storekeep/common/events'
import { type Env, randomId, type TestService, until, useService, withApiKey } from '@storekeep/common/testing'
import { startSmtpServer, type TestSmtpServer } from '@storekeep/common/testing/smtp-server'
import { type Email, EmailStatus } from '@storekeep/proto/emails/v1/email'
import { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import { file_storekeep_emails_v1_events as events } from '@storekeep/proto/emails/v1/events'
import {
  OrderCreatedSchema,
  OrderRefundedSchema,
  SubscriptionCanceledSchema,
  SubscriptionUpdatedSchema,
} from '@storekeep/proto/orders/v1/events'
import type { Order } from '@storekeep/proto/orders/v1/order'
import type { Subscription } from '@storekeep/proto/orders/v1/subscription'
import sql from 'sql-template-tag'
import { afterAll, beforeEach } from 'vitest'
import { type EmailsConfig, readConfig } from '../src/config.ts'
import { emails as service } from '../src/service.ts'
import { type FakeShops, useFakeShops } from './shop.ts'

/** The service with a real SMTP server and fakes of the services that it calls, for all tests of a file. See `useService`. */
export function useEmails(change: (env: Env) => Promise<Env> = async (env) => env): TestEmails {
  const shops = useFakeShops()
  const started: { smtp?: TestSmtpServer } = {}
  const emails = useService({
    service,
    definition: EmailsService,
    events,
    readConfig,
    settings: { CHECKOUT_BASE_URL: 'https://pay.example.org/checkout' },
    async change(env) {
      const smtp = await startSmtpServer()
      started.smtp = smtp
      return await change({
        ...env,
        ...shops.addresses(),
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}?starttls=optional`,
        EMAIL_FROM: 'shop@example.org',
        SMTP_TIMEOUT_MS: '10000',
      })
    },
  })
  const smtp = () => {
    if (!started.smtp) throw new Error('the SMTP server starts with the tests')
    return started.smtp
  }
  beforeEach(() => {
    Object.assign(smtp(), { received: [], recipients: [], rejectRecipient: accept, rejectData: accept })
  })
  afterAll(() => started.smtp?.stop())
  const own = { shops, ...publisher(() => emails) }
  return Object.defineProperty(Object.assign(emails, own), 'smtp', { get: smtp }) as unknown as TestEmails
}

const accept = () => undefined

type Base = TestService<EmailsConfig, typeof EmailsService>

export type TestEmails = Base & ReturnType<typeof publisher> & { shops: FakeShops; smtp: TestSmtpServer }

function publisher(emails: () => Base) {
  async function publish<S extends DescMessage>(
    { aggregate, verb, id, storeId }: { aggregate: string; verb: string; id: string; storeId: string },
    schema: S,
    message: MessageInitShape<S>,
  ): Promise<void> {
    version += 1
    const aggregateVersion = String(version)
    const of = {
      service: 'orders',
      aggregate,
      verb,
      aggregateId: id,
      aggregateVersion,
      storeId,
      traceparent: undefined,
    }
    await emails().database.transaction((tx) => publishEvent(tx, { ...of, schema, message }))
  }
  let version = 0
  const ofOrder = ({ id, storeId }: Order, verb: string) => ({ aggregate: 'order', verb, id, storeId })
  const ofSubscription = ({ id, storeId }: Subscription, verb: string) => ({
    aggregate: 'subscription',
    verb,
    id,
    storeId,
  })
  const test = {
    orderCreated: (order: Order) => publish(ofOrder(order, 'created'), OrderCreatedSchema, { order: inEvent(order) }),
    orderRefunded: (order: Order, amount: bigint, refundId = randomId()) =>
      publish(ofOrder(order, 'refunded'), OrderRefundedSchema, {
        order: inEvent(order),
        refund: { id: refundId, storeId: order.storeId, orderId: order.id, amount },
      }),
    subscriptionUpdated: (subscription: Subscription) =>
      publish(ofSubscription(subscription, 'updated'), SubscriptionUpdatedSchema, { subscription }),
    subscriptionCanceled: (subscription: Subscription) =>
      publish(ofSubscription(subscription, 'canceled'), SubscriptionCanceledSchema, { subscription }),
    /** The emails of an order, oldest first. */
    async emailsOf({ id, storeId }: Pick<Order, 'id' | 'storeId'>): Promise<Email[]> {
      const page = { asc: true, limit: 50 }
      return (await emails().client.listEmails({ orderId: id, page }, withApiKey(storeId))).emails
    },
    /** Waits until the order has that many emails, and none is pending. */
    async ended(order: Pick<Order, 'id' | 'storeId'>, count = 1): Promise<Email[]> {
      return await until(async () => {
        const found = await test.emailsOf(order)
        return found.length === count && found.every(isEnded) ? found : undefined
      })
    },
    /** Waits for an email of the order that fulfills the condition. */
    async emailWhere(order: Pick<Order, 'id' | 'storeId'>, condition: (email: Email) => boolean): Promise<Email> {
      return await until(async () => (await test.emailsOf(order)).find(condition))
    },
    /** Makes the next attempt of all waiting emails of a store due. */
    async makeDue(storeId: string): Promise<void> {
      await emails().database.query(sql`
        update email set due_at = now() where store_id = ${storeId} and status = 'pending' and lease is null`)
    },
  }
  return test
}

function isEnded({ status }: Email): boolean {
  return status !== EmailStatus.PENDING
}

/** Events contain no personal data. */
function inEvent(order: Order): Order {
  return { ...order, billingDetails: { $typeName: 'storekeep.checkout.v1.CustomerDetails' } }
}
