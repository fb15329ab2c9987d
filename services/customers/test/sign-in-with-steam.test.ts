import { countEvents, faultOf, violationsOf } from '@storekeep/common/testing'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { Game } from '@storekeep/proto/stores/v1/store'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeSteam, startFakeSteam } from './fake-steam.ts'
import { createTestCustomer, inStore, newSteamId, useCustomers } from './harness.ts'

let steam: FakeSteam
const customers = useCustomers(async (env) => {
  steam = await startFakeSteam()
  return { ...env, STEAM_OPENID_URL: steam.endpoint }
})
afterAll(() => steam.close())
beforeEach(() => Object.assign(steam, { status: 200, confirmsAgain: false }))

/** Options of a call by the pages. */
const byPages = (inId: string) => ({ ...inStore(inId), actor: { type: ActorType.ANONYMOUS } })
const returnTo = 'https://shop.example/store/isles/sign-in/return?state=abc'
let storeId = ''
beforeAll(() => {
  storeId = customers.stores.add(Game.RUST)
})

async function redirectUrl(address = returnTo): Promise<string> {
  return (await customers.client.startSteamSignIn({ returnTo: address }, byPages(storeId))).redirectUrl
}

/** What the browser of the player brings back. */
async function approved(steamId: string, change: Readonly<Record<string, string>> = {}, at = customers.clock.now()) {
  return steam.approve(await redirectUrl(), steamId, { at, change })
}

const signIn = (parameters: Record<string, string>, address = returnTo, inId = storeId) =>
  customers.client.signInWithSteam({ returnTo: address, parameters }, byPages(inId))

const unauthorized = { code: 'unauthorized' }

describe('StartSteamSignIn', () => {
  it('leads to Steam, and back to the store page', async () => {
    const url = new URL(await redirectUrl())
    expect(url.href.startsWith(steam.endpoint)).toBe(true)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'openid.ns': 'http://specs.openid.net/auth/2.0',
      'openid.mode': 'checkid_setup',
      'openid.return_to': returnTo,
      'openid.realm': 'https://shop.example/store',
      'openid.identity': 'http://specs.openid.net/auth/2.0/identifier_select',
      'openid.claimed_id': 'http://specs.openid.net/auth/2.0/identifier_select',
    })
  })

  it.each([
    'https://evil.example/',
    'https://shop.example/storefront/',
    'https://shop.example.evil.example/store/',
    '',
  ])('never leads back to another site: %s', async (address) => {
    expect(await violationsOf(redirectUrl(address))).toEqual(['return_to format'])
  })

  it('is not possible in a store of another game', async () => {
    const call = customers.client.startSteamSignIn({ returnTo }, byPages(customers.stores.add(Game.MINECRAFT)))
    expect(await faultOf(call)).toMatchObject({ code: 'platform-not-allowed' })
  })
})

describe('SignInWithSteam', () => {
  it('creates the customer of the account, with a verified token for 30 days', async () => {
    const steamId = newSteamId()
    const { customerToken: token } = await signIn(await approved(steamId))
    const verify = () => customers.client.verifyToken({ token }, inStore(storeId))
    expect(await verify()).toMatchObject({ claimed: false, customer: { steamId, storeId } })
    customers.clock.advance(30 * 24 * 3_600_000)
    await verify()
    customers.clock.advance(61_000)
    expect(await faultOf(verify())).toMatchObject(unauthorized)
  })

  it('finds the customer of the account', async () => {
    const { id, steamId = '' } = await createTestCustomer(customers, inStore(storeId))
    const { customerToken: token } = await signIn(await approved(steamId))
    expect((await customers.client.verifyToken({ token }, inStore(storeId))).customer?.id).toBe(id)
  })

  it('creates one customer for concurrent first sign-ins', async () => {
    const inId = customers.stores.add(Game.RUST)
    const steamId = newSteamId()
    const all = await Promise.all(Array.from({ length: 8 }, () => approved(steamId)))
    await Promise.all(all.map((parameters) => signIn(parameters, returnTo, inId)))
    expect(await countEvents(customers, inId)).toBe(1)
  })

  it('accepts each assertion once, even if Steam confirms it again', async () => {
    const parameters = await approved(newSteamId())
    steam.confirmsAgain = true
    const faults = await Promise.all(
      [1, 2, 3].map(() =>
        signIn(parameters).then(
          () => 'signed in',
          () => 'rejected',
        ),
      ),
    )
    expect(faults.sort()).toEqual(['rejected', 'rejected', 'signed in'])
    expect(await faultOf(signIn(parameters))).toMatchObject(unauthorized)
  })

  it('rejects an assertion that was changed after Steam has signed it', async () => {
    const parameters = await approved(newSteamId())
    const id = new URL(`id/${newSteamId()}`, steam.endpoint).href
    const forged = { ...parameters, 'openid.claimed_id': id, 'openid.identity': id }
    expect(await faultOf(signIn(forged))).toMatchObject(unauthorized)
    const { customerToken } = await signIn(parameters)
    expect(customerToken).toMatch(/^skcus_/)
  })

  it.each([
    ['a canceled sign-in', { 'openid.mode': 'cancel' }],
    ['another protocol version', { 'openid.ns': 'http://openid.net/signon/1.0' }],
    ['another provider', { 'openid.op_endpoint': 'https://steamcommunity.example/openid/login' }],
    ['another page', { 'openid.return_to': 'https://evil.example/' }],
    ['an account elsewhere', { 'openid.claimed_id': 'https://evil.example/openid/id/76561197970000001' }],
    ['two accounts', { 'openid.identity': 'https://evil.example/' }],
    ['an id that is signed only in part', { 'openid.signed': 'op_endpoint,identity,return_to,response_nonce' }],
    ['a nonce without a time', { 'openid.response_nonce': 'abc' }],
  ])('rejects %s, although its signature is genuine', async (_name, change) => {
    expect(await faultOf(signIn(await approved(newSteamId(), change)))).toMatchObject(unauthorized)
  })

  it.each([-6, 6])('rejects an assertion that was made %i minutes from now', async (minutes) => {
    const at = new Date(customers.clock.now().getTime() + minutes * 60_000)
    expect(await faultOf(signIn(await approved(newSteamId(), {}, at)))).toMatchObject(unauthorized)
  })

  it('rejects an assertion for another address of the store, such as an assertion that another browser has requested', async () => {
    const parameters = await approved(newSteamId())
    expect(await faultOf(signIn(parameters, `${returnTo}d`))).toMatchObject(unauthorized)
  })

  it('rejects ids that no account has', async () => {
    expect(await faultOf(signIn(await approved('0')))).toMatchObject(unauthorized)
    expect(await faultOf(signIn({}))).toMatchObject(unauthorized)
  })

  it('is unavailable while Steam is, and works with the same assertion afterwards', async () => {
    const parameters = await approved(newSteamId())
    steam.status = 500
    expect(await faultOf(signIn(parameters))).toMatchObject({ code: 'service-unavailable' })
    steam.status = 200
    await signIn(parameters)
  })

  it('is not possible in a store of another game', async () => {
    const minecraft = customers.stores.add(Game.MINECRAFT)
    const call = signIn(await approved(newSteamId()), returnTo, minecraft)
    expect(await faultOf(call)).toMatchObject({ code: 'platform-not-allowed' })
  })
})
