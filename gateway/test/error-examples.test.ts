import { errors } from '@storekeep/common/errors'
import { expect, it } from 'vitest'
import { describeApi } from '../src/openapi/document.ts'
import { endpoints } from '../src/routes/index.ts'
import { useGateway } from './harness.ts'
import type { RequestInput } from './http-client.ts'
import { newApiKey } from './ids.ts'

const gateway = useGateway({ RATE_LIMIT_API_KEY_PER_MINUTE: '1' })
const { paths } = JSON.parse(JSON.stringify(describeApi(endpoints)))

type Example = { status: number; code: string; message: string }

/** The example of an error code of POST /customers. */
function documented(code: string): Example {
  const { responses } = paths['/v1/stores/{storeId}/customers'].post
  const examples = Object.values(responses).map(
    (response) => (response as { content: Record<string, { examples?: Record<string, { value: Example }> }> }).content,
  )
  const found = examples.map((content) => content['application/json']?.examples?.[code]?.value).find((one) => one)
  if (!found) throw new Error(`no example of ${code}`)
  return found
}

it.each<[string, RequestInput & { storeId?: string; scopes?: string[] }]>([
  ['bad-request', { raw: '{' }],
  ['validation-failed', { storeId: 'x' }],
  ['unauthorized', { headers: { authorization: `APIKey ${newApiKey()}` } }],
  ['forbidden', { scopes: [] }],
  ['payload-too-large', { raw: ' '.repeat(256 * 1024 + 1) }],
  ['unsupported-media-type', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
])('documents the message that is sent for %s', async (code, { storeId, scopes, ...input }) => {
  const store = gateway.newStore(scopes)
  const headers = { authorization: `APIKey ${store.apiKey}`, ...input.headers }
  const { body } = await gateway.request('POST', `/v1/stores/${storeId ?? store.id}/customers`, { ...input, headers })
  const { status, message } = documented(code)
  expect(body).toMatchObject({ status, code, message })
})

it.each([
  ['conflict', errors.stillRunning()],
  ['idempotency-mismatch', errors.idempotencyMismatch()],
  ['internal-error', new Error('broken')],
  ['service-unavailable', errors.unavailable()],
])('documents the message that is sent for %s of a service', async (code, error) => {
  gateway.services.overrides.createCustomer = () => Promise.reject(error)
  const { body } = await gateway.newStore().send('POST', '/customers', { json: { name: 'Robin' } })
  const { status, message } = documented(code)
  expect(body).toMatchObject({ status, code, message })
})

it('documents the message that is sent for too-many-requests, except for its number of seconds', async () => {
  const store = gateway.newStore()
  const send = () => store.send('POST', '/customers', { json: { name: 'Robin' } })
  await send()
  const { message } = (await send()).body as Example
  expect(message.replace(/\d+/, 'n')).toBe(documented('too-many-requests').message.replace(/\d+/, 'n'))
})
