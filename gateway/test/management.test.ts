import { errors, violation } from '@storekeep/common/errors'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/http/endpoint.ts'
import { errorCodesOf } from '../src/openapi/error-codes.ts'
import { endpoints } from '../src/routes/index.ts'
import { rpcNames } from './fake-services.ts'
import { exampleRequest, itemsOf, useGateway } from './harness.ts'
import { newApiKey, newId } from './ids.ts'

const gateway = useGateway()
const management = endpoints
  .filter(({ auth }) => auth === 'api-key')
  .map((endpoint) => ({ name: `${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint }))

describe.each(management)('$name', ({ endpoint }) => {
  const query = requiredQuery(endpoint)

  async function send(change: { storeId?: string; authorization?: string | undefined; scopes?: string[] } = {}) {
    const store = gateway.newStore(change.scopes)
    const { method, path, input } = exampleRequest(endpoint, store)
    const headers = { ...input.headers, ...('authorization' in change && { authorization: change.authorization }) }
    const target = change.storeId === undefined ? path : path.replace(store.id, change.storeId)
    return await gateway.request(method, target + query, { ...input, headers })
  }

  it('returns its declared status and body, and calls the service as the store and key', async () => {
    const store = gateway.newStore()
    const { method, path, input } = exampleRequest(endpoint, store)
    expect((await gateway.request(method, path + query, input)).status).toBe(endpoint.success.status)
    const last = gateway.services.calls.at(-1)
    expect(last?.call).toMatchObject({ storeId: store.id, actor: { id: store.keyId } })
  })

  it.each([
    ['no credential', undefined],
    ['an empty credential', ''],
    ['another scheme', `Bearer ${newApiKey()}`],
    ['a customer token', `Customer ${newApiKey()}`],
    ['a key with a wrong checksum', `APIKey ${newApiKey().slice(0, -1)}~`],
    ['an unknown key', `APIKey ${newApiKey()}`],
    ['two keys', `APIKey ${newApiKey()} ${newApiKey()}`],
  ])('rejects %s', async (_, authorization) => {
    const response = await send({ authorization })
    expect(response.status).toBe(401)
    expect(response.body).toMatchObject({ code: 'unauthorized' })
    expect(response.headers['www-authenticate']).toMatch(/^APIKey/)
  })

  it.each([
    ['a bare key', ''],
    ['a key with another scheme', 'Bearer '],
  ])('says that the scheme is missing before %s, without repeating the key', async (_, prefix) => {
    const authorization = prefix + gateway.newStore().apiKey
    const { status, body, text } = await send({ authorization })
    expect([status, body]).toMatchObject([401, { message: expect.stringContaining('lacks the scheme "APIKey"') }])
    expect(text).not.toContain(authorization.slice(-20))
  })

  it('rejects the key of another store, whether or not the store exists', async () => {
    expect((await send({ storeId: newId() })).body).toMatchObject({ code: 'forbidden' })
    expect(gateway.services.calls.filter(({ name }) => name !== 'verifyApiKey')).toEqual([])
  })

  it('rejects a key without its scope', async () => {
    const others = endpoint.scope?.startsWith('bans') ? ['search:read', 'search:write'] : ['bans:read', 'bans:write']
    const response = await send({ scopes: others })
    expect(response.body).toMatchObject({ code: 'forbidden', message: expect.stringContaining(endpoint.scope ?? '') })
  })

  it.each(['abc', '0', '01', '-1', '9223372036854775808', '1.5', '%20'])(
    'rejects the malformed store id %s of a valid key',
    async (storeId) => {
      const response = await send({ storeId })
      expect(response.status).toBe(400)
      expect(itemsOf(response)).toEqual(['storeId format'])
    },
  )

  it('rejects an unknown query parameter', async () => {
    const store = gateway.newStore()
    const { method, path, input } = exampleRequest(endpoint, store)
    const response = await gateway.request(method, `${path}${query === '' ? '?' : `${query}&`}stauts=1`, input)
    expect(itemsOf(response)).toEqual(['stauts enum'])
  })

  it('returns the violations of a service and hides internal errors', async () => {
    const store = gateway.newStore()
    const { method, path, input } = exampleRequest(endpoint, store)
    const answerAll = (error: Error) => {
      for (const name of answering) {
        gateway.services.overrides[name] = () => Promise.reject(error)
      }
    }
    answerAll(errors.validationFailed([violation('name', 'length', 'is too long', 'name-too-long')]))
    expect((await gateway.request(method, path + query, input)).body).toMatchObject({
      code: 'validation-failed',
      errors: [{ path: 'name', validation: 'length', code: 'name-too-long', message: 'is too long' }],
    })
    answerAll(new Error('relation "customer" does not exist'))
    const broken = await gateway.request(method, path + query, input)
    expect(broken.body).toMatchObject({ status: 500, code: 'internal-error' })
    expect(broken.text).not.toContain('relation')
    answerAll(errors.unavailable(new Error('connection refused')))
    const away = await gateway.request(method, path + query, input)
    expect(away.body).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(away.headers['retry-after']).toBe('1')
  })
})

describe.each(management.filter(({ endpoint }) => /\{(?!storeId\})/.test(endpoint.path)))('$name', ({ endpoint }) => {
  it.each(endpoint.path.match(/(?<=\{)(?!storeId\})\w+/g) ?? [])('rejects a malformed %s', async (parameter) => {
    const store = gateway.newStore()
    const { method, path, input } = exampleRequest(endpoint, store)
    const at = endpoint.path.split('/').indexOf(`{${parameter}}`)
    for (const id of ['0x12', '0', '-1', '+1', '01', '1.0', '1e3', '9223372036854775808', 'abc', '%20', '%00']) {
      const malformed = path.split('/').with(at, id).join('/')
      expect(itemsOf(await gateway.request(method, malformed, input)), id).toEqual([`${parameter} format`])
    }
  })
})

const findsOne = management.filter(({ endpoint }) => errorCodesOf(endpoint).includes('not-found'))
describe.each(findsOne)('$name', ({ endpoint }) => {
  it('returns not-found of the service', async () => {
    const store = gateway.newStore()
    const { method, path, input } = exampleRequest(endpoint, store)
    for (const name of answering) {
      gateway.services.overrides[name] = () => Promise.reject(errors.notFound('customer'))
    }
    const response = await gateway.request(method, path + requiredQuery(endpoint), input)
    expect(response.body).toMatchObject({ status: 404, code: 'not-found', message: 'There is no such customer.' })
  })
})

function requiredQuery({ path }: Endpoint): string {
  if (path.endsWith('/tax-report')) return '?from=2026-01-01&to=2026-12-31'
  return path.endsWith('/lookup') ? '?name=Robin' : ''
}

const answering = rpcNames.filter((name) => name !== 'verifyApiKey')
