import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@storekeep/common/crypto'
import { until, useServerProxies } from '@storekeep/common/testing'
import { EmailStatus as Status } from '@storekeep/proto/emails/v1/email'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { openRecipient } from '../src/db/recipient-repository.ts'
import { useEmails } from './harness.ts'

const [current, old] = [1, 2].map(() => randomBytes(32).toString('base64url')) as [string, string]
const proxies = useServerProxies()
const emails = useEmails(async (env) => await proxies.between({ ...env, ENCRYPTION_KEY: `${current},${old}` }))
const { shops } = emails

it('an email that the server accepts while Postgres is unavailable is recorded afterwards, and not sent twice', async () => {
  const order = shops.addOrder(shops.addStore().id)
  const accepted = new Promise<void>((resolve) => {
    emails.smtp.beforeResponse = async () => {
      proxies.postgres.cut()
      resolve()
    }
  })
  await emails.orderCreated(order)
  await accepted
  emails.smtp.beforeResponse = async () => undefined
  await until(async () => (emails.logLines.some((line) => line.includes('email sending failed')) ? true : undefined))
  proxies.postgres.pass()
  expect(await emails.ended(order)).toMatchObject([{ status: Status.SENT, attempts: 1 }])
  expect(emails.smtp.received).toHaveLength(1)
})

it('addresses are encrypted with the new key during a rotation, so that the old one can be removed', async () => {
  const order = shops.addOrder(shops.addStore().id)
  await emails.orderCreated(order)
  const [email] = await emails.ended(order)
  const key = { storeId: order.storeId, id: email?.id ?? '' }
  const sealed = createSecretBox(old).seal(Buffer.from('robin@example.com'), `email ${key.storeId} ${key.id}`)
  await emails.database.query(
    sql`update email set recipient = ${sealed} where store_id = ${key.storeId} and id = ${key.id}`,
  )
  const read = async () => {
    const [row] = await emails.database.query<{ recipient: Buffer }>(sql`
      select recipient from email where store_id = ${key.storeId} and id = ${key.id}`)
    return openRecipient(createSecretBox(current), key, row?.recipient ?? Buffer.alloc(0))
  }
  await expect.poll(() => read().catch(() => undefined)).toBe('robin@example.com')
})
