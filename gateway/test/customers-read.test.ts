import { describe, expect, it } from 'vitest'
import { customerMessage } from './fake-services.ts'
import { itemsOf, useGateway } from './harness.ts'
import { newId } from './ids.ts'

const gateway = useGateway({ PUBLIC_BASE_URL: 'https://api.example.com/' })

describe('GET /customers', () => {
  it('requests the newest 50 by default', async () => {
    await gateway.newStore().send('GET', '/customers')
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ page: { limit: 50, asc: false }, customerIds: [] })
  })

  it('passes paging and filters to the service', async () => {
    const [after, before, one, two] = [newId(), newId(), newId(), newId()]
    const query = `limit=7&after=${after}&before=${before}&asc=true&search=a%20%2B+b&customer_id=${one}&customer_id=${two}`
    await gateway.newStore().send('GET', `/customers?${query}`)
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({
      page: { limit: 7, after, before, asc: true },
      search: 'a + b',
      customerIds: [one, two],
    })
  })

  it.each([
    ['limit=0', ['limit min']],
    ['limit=-1', ['limit min']],
    ['limit=101', ['limit max']],
    ['limit=ten', ['limit type']],
    ['limit=1.5', ['limit type']],
    ['limit=1&limit=2', ['limit type']],
    ['asc=yes', ['asc enum']],
    ['after=abc', ['after format']],
    ['after=0', ['after format']],
    ['before=0', ['before format']],
    ['after=9223372036854775808', ['after format']],
    ['before=10000000000000000000', ['before format']],
    ['customer_id=abc', ['customer_id.0 format']],
    ['customer_id[]=5', ['customer_id[] enum']],
    [`search=${'x'.repeat(257)}`, ['search length']],
    ['limit=0&after=x', ['after format', 'limit min']],
    ['serach=x', ['serach enum']],
  ])('rejects ?%s', async (query, items) => {
    const response = await gateway.newStore().send('GET', `/customers?${query}`)
    expect(itemsOf(response).sort()).toEqual(items)
  })

  it('rejects more than 100 ids', async () => {
    const query = Array.from({ length: 101 }, () => 'customer_id=5').join('&')
    expect(itemsOf(await gateway.newStore().send('GET', `/customers?${query}`))).toEqual(['customer_id length'])
  })

  it.each([
    ['/customers', 'serach', 'did you mean "search"?'],
    ['/customers', 'customerId', 'did you mean "customer_id"?'],
    ['/customers', 'customer', 'did you mean "customer_id"?'],
    ['/customers/lookup', 'steam_id64', 'did you mean "steam_id"?'],
    ['/bans', 'ban_type_valu', 'did you mean "ban_type_value"?'],
    ['/customers', 'color', 'see /docs for its parameters'],
  ])('suggests the nearest parameter of %s for %s: %s', async (path, given, hint) => {
    const { body } = await gateway.newStore().send('GET', `${path}?${given}=1`)
    const message = `is not a query parameter of this endpoint; ${hint}`
    expect(body).toMatchObject({ errors: [{ path: given, code: 'unknown-parameter', message }] })
  })

  it('treats an empty value as absent', async () => {
    await gateway.newStore().send('GET', '/customers?limit=&after=&before=&asc=&search=&customer_id=&limit=3')
    const request = gateway.services.calls.at(-1)?.request
    expect(request).toMatchObject({ page: { limit: 3, asc: false }, customerIds: [] })
    expect(Object.hasOwn(request ?? {}, 'search')).toBe(false)
  })

  it.each(['true', 'True', 'TRUE'])('reads asc=%s as true', async (asc) => {
    await gateway.newStore().send('GET', `/customers?asc=${asc}`)
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({ page: { asc: true } })
  })

  it.each(['search=%zz', 'search=%ff', 'search=a%00b', '%=1'])(
    'rejects ?%s, an invalid percent-encoding',
    async (query) => {
      const { body } = await gateway.newStore().send('GET', `/customers?${query}`)
      expect(body).toMatchObject({ status: 400, code: 'bad-request' })
    },
  )

  it('links to the next and previous page and keeps the rest of the query', async () => {
    const store = gateway.newStore()
    const ids = [newId(), newId()]
    gateway.services.overrides.listCustomers = async () => ({
      customers: ids.map((id) => customerMessage(id, store.id)),
      page: { hasNext: true, hasPrevious: true },
    })
    const base = `https://api.example.com/v1/stores/${store.id}/customers`
    const first = await store.send('GET', '/customers?limit=2&search=a%26b')
    expect(first.headers.link).toBe(
      `<${base}?limit=2&search=a%26b&after=${ids[1]}>; rel="next", <${base}?limit=2&search=a%26b&before=${ids[0]}>; rel="prev"`,
    )
    const after = await store.send('GET', '/customers?after=99')
    expect(after.headers.link).toBe(`<${base}?after=${ids[1]}>; rel="next", <${base}?before=${ids[0]}>; rel="prev"`)
    const between = await store.send('GET', '/customers?after=99&before=7')
    expect(between.headers.link).toContain(`<${base}?after=${ids[1]}&before=7>; rel="next"`)
  })

  it('has no Link header without another page', async () => {
    expect((await gateway.newStore().send('GET', '/customers')).headers.link).toBeUndefined()
  })
})

describe('GET /customers/lookup', () => {
  it('passes each identity to the service', async () => {
    const query = {
      id: newId(),
      steam_id: '76561197960287930',
      minecraft_uuid: '069a79f444e94726a5befca90e38aaf5',
      xbox_xuid: '2535428504324680',
      minecraft_java_name: 'Robin',
      minecraft_bedrock_name: 'Robin B',
      name: 'Röbin',
    }
    const { status } = await gateway.newStore().send('GET', `/customers/lookup?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    expect(gateway.services.calls.at(-1)?.request).toMatchObject({
      id: query.id,
      steamId: query.steam_id,
      minecraftUuid: query.minecraft_uuid,
      xboxXuid: query.xbox_xuid,
      minecraftJavaName: 'Robin',
      minecraftBedrockName: 'Robin B',
      name: 'Röbin',
    })
  })

  it.each([
    ['id=x', ['id format']],
    ['steam_id=1', ['steam_id format']],
    ['minecraft_uuid=1', ['minecraft_uuid format']],
    ['xbox_xuid=x', ['xbox_xuid format']],
    ['steamid=76561197960287930', ['steamid enum']],
  ])('rejects ?%s', async (query, items) => {
    expect(itemsOf(await gateway.newStore().send('GET', `/customers/lookup?${query}`))).toEqual(items)
  })

  it.each([
    ['POST', '/customers/lookup', 'GET, HEAD'],
    ['GET', '/customers/bulk', 'POST'],
    ['PATCH', '/customers/bulk', 'POST'],
  ])('does not treat the path of %s %s as an id', async (method, path, allow) => {
    const response = await gateway.newStore().send(method, path)
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe(allow)
  })
})
