import { createLogger } from '@storekeep/common/log'
import { createDatabase } from '@storekeep/common/postgres'
import { createTestHome, type Env, spawnService, until, withApiKey } from '@storekeep/common/testing'
import { startSmtpServer } from '@storekeep/common/testing/smtp-server'
import { EmailStatus as Status } from '@storekeep/proto/emails/v1/email'
import { EmailsService } from '@storekeep/proto/emails/v1/emails_service'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { emails as service } from '../src/service.ts'
import { useFakeShops } from './shop.ts'

const shops = useFakeShops()
const entry = new URL('../src/main.ts', import.meta.url)

/**
 * Starts a sender, kills it when the server has received the email, but has not responded, and starts another one.
 * @param forget changes the row of the email while no sender runs
 */
async function killWhileSending(forget: boolean) {
  const smtp = await startSmtpServer()
  const home = await createTestHome(service, {})
  const env: Env = {
    ...home.env,
    ...shops.addresses(),
    METRICS_PORT: '0',
    MIGRATE: 'false',
    CHECKOUT_BASE_URL: 'https://pay.example.org/checkout',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}?starttls=optional`,
    EMAIL_FROM: 'shop@example.org',
  }
  const log = createLogger({ service: 'test', level: 'silent' })
  const database = createDatabase({ url: home.databaseUrl, applicationName: 'test', timeLimitFactor: 10, log })
  const order = shops.addOrder(shops.addStore().id)
  const options = withApiKey(order.storeId)
  const add = (cause: string) =>
    database.query(sql`
      insert into email (store_id, kind, cause, customer_id, order_id, message_id, created_at)
      values (${order.storeId}, 'receipt', ${cause}, ${order.customerId}, ${order.id}, ${`<${cause}@example.org>`}, now())`)
  const idOf = ({ mail }: (typeof smtp.received)[number]) => mail.messageId

  try {
    const killed = await spawnService(entry, EmailsService, env)
    const reached = new Promise<void>((resolve) => {
      smtp.beforeResponse = async () => {
        killed.child.kill('SIGKILL')
        await killed.exited
        resolve()
      }
    })
    await add('first')
    await reached
    smtp.beforeResponse = async () => undefined
    killed.transport.close()
    if (forget) {
      smtp.received.pop()
      await database.query(sql`
        update email set status = 'sent', due_at = null, lease = null, ended_at = now() where store_id = ${order.storeId}`)
    }
    // As if the lease had ended.
    await database.query(sql`
      update email set due_at = now() where store_id = ${order.storeId} and status = 'pending' and lease is not null`)
    await add('second')
    const next = await spawnService(entry, EmailsService, env)
    const ended = await until(async () => {
      const { emails } = await next.client.listEmails({ orderId: order.id }, options)
      return emails.every(({ status }) => status === Status.SENT) ? emails : undefined
    })
    next.transport.close()
    next.child.kill('SIGTERM')
    await next.exited
    expect(ended).toHaveLength(2)
    return smtp.received.map(idOf)
  } finally {
    await database.close()
    await home.drop()
    await smtp.stop()
  }
}

it('an email is sent again, with the same Message-ID, if its sender is killed before it has stored the result', async () => {
  const received = await killWhileSending(false)
  expect(received.toSorted()).toEqual(['<first@example.org>', '<first@example.org>', '<second@example.org>'])
})

it('a sender that stored the result before it had sent the email would lose it', async () => {
  expect(await killWhileSending(true)).toEqual(['<second@example.org>'])
})
