import {
  type CustomerBody,
  expectFault,
  fresh,
  type HttpResponse,
  type TestStore,
  useSharedSystem,
} from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()

function signIn(
  store: TestStore,
  platform: unknown,
  id: unknown,
  headers = {},
): Promise<HttpResponse<{ customer_token: string }>> {
  return store.shop('POST', '/store/customer/auth', { json: { platform, id }, headers })
}

async function customerSignedInAs(store: TestStore, platform: string, id: string): Promise<CustomerBody> {
  const signedIn = await signIn(store, platform, id)
  expect(signedIn.status, signedIn.text).toBe(200)
  const token = signedIn.body.customer_token
  return (await store.shop<CustomerBody>('GET', '/store/customer', { token })).body
}

describe('POST /store/customer/auth', () => {
  it.each(['minecraft', 'minecraft_offline', 'minecraft_geyser'] as const)(
    'signs in a typed name at a %s store: the same customer with a new token each time',
    async (game) => {
      const store = await createStore({ game })
      const name = fresh.name()
      const [first, second] = [await signIn(store, 'minecraft', name), await signIn(store, 'minecraft', name)]
      expect([first.status, second.status], first.text).toEqual([200, 200])
      expect(Object.keys(first.body)).toEqual(['customer_token'])
      expect(first.body.customer_token).not.toBe(second.body.customer_token)
      const [one, two] = await Promise.all(
        [first, second].map(({ body }) =>
          store.shop<CustomerBody>('GET', '/store/customer', { token: body.customer_token }),
        ),
      )
      expect(one?.body.id).toBe(two?.body.id)
      expect(one?.body.profile).toMatchObject({ platform: 'minecraft', name })
    },
  )

  it('finds the same customer in any spelling of the name', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const name = fresh.name()
    const first = await customerSignedInAs(store, 'minecraft', name)
    expect((await customerSignedInAs(store, 'minecraft', name.toUpperCase())).id).toBe(first.id)
  })

  it('creates one customer for concurrent sign-ins with the same new name', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const name = fresh.name()
    const responses = await Promise.all(Array.from({ length: 6 }, () => signIn(store, 'minecraft', name)))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await store.get<CustomerBody[]>('/customers')).body).toHaveLength(1)
  })

  it('issues a token that the store can revoke', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const { body } = await signIn(store, 'minecraft', fresh.name())
    const [customer] = (await store.get<CustomerBody[]>('/customers')).body
    await store.delete(`/customers/${customer?.id}/tokens`)
    expectFault(await store.shop('GET', '/store/customer', { token: body.customer_token }), 'unauthorized')
  })

  it('keeps typed names apart from verified accounts until the store links them', async () => {
    const store = await createStore({ game: 'minecraft' })
    const [name, uuid] = [fresh.name(), fresh.uuid()]
    const { body } = await signIn(store, 'minecraft', name)
    const read = () => store.shop<CustomerBody>('GET', '/store/customer', { token: body.customer_token })
    expectFault(await store.get(`/customers/lookup?minecraft_uuid=${uuid}`), 'not-found')
    const found = (await store.get<CustomerBody>(`/customers/lookup?minecraft_java_name=${name}`)).body
    expect(found.profile?.claimed).toBe(true)
    const written = { name: 'Robin', metadata: { note: 'secret' } }
    expect((await store.patch(`/customers/${found.id}`, written)).status).toBe(200)
    expect((await read()).body).toMatchObject({ id: found.id, name: null, metadata: {}, profile: { claimed: true } })

    const linked = await store.patch<CustomerBody>(`/customers/${found.id}`, { minecraft_uuid: uuid })
    expect(linked.body).toMatchObject({ ...written, id: found.id, minecraft: null, profile: { claimed: false } })
    expectFault(await read(), 'unauthorized')
    expect((await store.get<CustomerBody>(`/customers/lookup?minecraft_uuid=${uuid}`)).body.id).toBe(found.id)
    const again = await customerSignedInAs(store, 'minecraft', name)
    expect(again).toMatchObject({ minecraft_uuid: null, name: null, metadata: {}, profile: { claimed: true } })
    const rejected = await store.patch(`/customers/${again.id}`, { minecraft_uuid: uuid })
    expect(JSON.stringify(expectFault(rejected, 'conflict', ['minecraft_uuid']))).toContain(found.id)
  })

  it('ignores any Authorization header', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    for (const authorization of ['garbage', `APIKey ${store.apiKey}`, 'Customer nonsense']) {
      expect((await signIn(store, 'minecraft', fresh.name(), { authorization })).status).toBe(200)
    }
  })

  it('ignores an idempotency key: each sign-in gets a new token', async () => {
    const store = await createStore({ game: 'minecraft_offline' })
    const name = fresh.name()
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const [first, second] = [
      await signIn(store, 'minecraft', name, headers),
      await signIn(store, 'minecraft', name, headers),
    ]
    expect(first.body.customer_token).not.toBe(second.body.customer_token)
  })

  it('recognizes Bedrock players of a Geyser store by its prefix', async () => {
    const store = await createStore({ game: 'minecraft_geyser', bedrockPrefix: '*' })
    const name = fresh.name()
    const bedrock = await customerSignedInAs(store, 'minecraft', `*${name}`)
    expect(bedrock).toMatchObject({ minecraft_platform: 'bedrock', profile: { platform: 'minecraft', name } })
    const java = await customerSignedInAs(store, 'minecraft', name)
    expect(java.minecraft_platform).toBe('java')
    expect(java.id).not.toBe(bedrock.id)
    const found = await store.get<CustomerBody>(`/customers/lookup?minecraft_bedrock_name=${name}`)
    expect(found.body.id).toBe(bedrock.id)
  })

  it('sets the edition from the requested platform', async () => {
    const store = await createStore({ game: 'minecraft_geyser' })
    const name = fresh.name()
    expect((await customerSignedInAs(store, 'minecraft_java_name', name)).minecraft_platform).toBe('java')
    expect((await customerSignedInAs(store, 'minecraft_bedrock_name', `${name} x`)).minecraft_platform).toBe('bedrock')
  })

  it.each(['steam', 'minecraft_uuid', 'xbox_xuid'])(
    'rejects the platform %s, which requires a verified sign-in',
    async (platform) => {
      const store = await createStore({ game: 'minecraft' })
      expectFault(await signIn(store, platform, fresh.steamId()), 'platform-not-allowed')
    },
  )

  it('rejects every sign-in at a store of another game', async () => {
    const store = await createStore({ game: 'rust' })
    for (const platform of ['minecraft', 'minecraft_java_name', 'minecraft_bedrock_name', 'steam']) {
      expectFault(await signIn(store, platform, fresh.name()), 'platform-not-allowed')
    }
    expect((await store.get('/customers')).body).toEqual([])
  })

  it.each(['nintendo', '', 'MINECRAFT', 5, null, undefined])('rejects the unknown platform %j', async (platform) => {
    const store = await createStore({ game: 'minecraft_offline' })
    expectFault(await signIn(store, platform, fresh.name()), 'validation-failed', ['platform'])
  })

  it.each(['', 'x', 'seventeen_letters', 'with space', 'quote"', "o'neil", 'ümlaut', '.dotted', 5, null, undefined])(
    'rejects %j as a Java name',
    async (id) => {
      const store = await createStore({ game: 'minecraft_offline' })
      expectFault(await signIn(store, 'minecraft_java_name', id), 'validation-failed', ['id'])
    },
  )

  it.each(['', 'g'.repeat(33), 7])('rejects %j as a Bedrock gamertag', async (id) => {
    const store = await createStore({ game: 'minecraft_geyser' })
    expectFault(await signIn(store, 'minecraft_bedrock_name', id), 'validation-failed', ['id'])
  })

  it('rejects a prefix without a name', async () => {
    const store = await createStore({ game: 'minecraft_geyser' })
    expectFault(await signIn(store, 'minecraft', '.'), 'validation-failed', ['id'])
  })
})
