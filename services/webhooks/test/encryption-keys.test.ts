import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@storekeep/common/crypto'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { readHeaders } from '../src/endpoints/db/endpoint-repository.ts'
import { createTestEndpoint, inStore, signingSecrets, useWebhooks } from './harness.ts'

const [current, old] = [1, 2].map(() => randomBytes(32).toString('base64url')) as [string, string]
const webhooks = useWebhooks(async (env) => ({ ...env, ENCRYPTION_KEY: `${current},${old}` }))

it('secrets and headers are encrypted with the new key during a rotation, so that the old one can be removed', async () => {
  const { database, clock } = webhooks
  // No event of this type occurs, so no attempt changes the endpoint.
  const fields = { headers: { 'X-Token': 'hushhush' }, eventTypes: ['ban.created'] }
  const { endpoint, secret } = await createTestEndpoint(webhooks, inStore(), fields)
  const { id, storeId } = endpoint
  const sealed = (text: string, context: string) => createSecretBox(old).seal(Buffer.from(text), context)
  const headers = sealed('{"X-Token":"hushhush"}', `webhook_endpoint ${storeId} ${id} headers`)
  await database.query(sql`update webhook_endpoint set headers = ${headers} where store_id = ${storeId}`)
  const [row] = await database.query<{ id: string }>(sql`select id from webhook_secret where store_id = ${storeId}`)
  const resealed = sealed(secret, `webhook_secret ${storeId} ${id} ${row?.id}`)
  await database.query(sql`update webhook_secret set secret = ${resealed} where store_id = ${storeId}`)

  const box = createSecretBox(current)
  const read = async () => [
    await readHeaders(database, box, endpoint),
    await signingSecrets(database, box, endpoint, clock.now()),
  ]
  await expect.poll(() => read().catch(() => undefined)).toEqual([{ 'X-Token': 'hushhush' }, [secret]])
  const reread = await webhooks.client.getWebhookEndpoint({ webhookEndpointId: id }, inStore(storeId))
  expect(reread.webhookEndpoint).toEqual(endpoint)
})
