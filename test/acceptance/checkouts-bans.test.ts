import { type CustomerBody, expectFault, fresh, openShop, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const product = await shop.product()

const lines = [{ quantity: 1, product_id: product.id }]
const [ip, email] = [fresh.ip(), fresh.email()]

/** A buyer with every identity, who checks out with an email address and from an address. */
async function newBuyer(): Promise<CustomerBody> {
  return await shop.customer({ steam_id: fresh.steamId(), minecraft_uuid: fresh.uuid(), xbox_xuid: fresh.xuid() })
}

function buy(customer: CustomerBody, { billing_email = email, from = ip } = {}) {
  const input = { lines, customer_id: customer.id, customer_details: { billing_email } }
  return shop.order(input, { headers: { 'x-service-customer-ip': from } })
}

describe('a banned customer', () => {
  it.each<[string, (customer: CustomerBody) => string | null]>([
    ['customer', ({ id }) => id],
    ['customer_name', ({ name }) => name?.toUpperCase() ?? null],
    ['steam', ({ steam_id }) => steam_id],
    ['minecraft_uuid', ({ minecraft_uuid }) => minecraft_uuid],
    ['xbox_xuid', ({ xbox_xuid }) => xbox_xuid],
  ])('matched by %s cannot check out until the ban is deleted, and other customers can', async (type, valueIn) => {
    const [customer, other] = await Promise.all([newBuyer(), newBuyer()])
    const ban = await shop.ban(type, valueIn(customer) ?? '')
    const body = expectFault(await buy(customer), 'customer-banned')
    expect(body.errors).toBeNull()
    expect((await buy(other)).status).toBe(200)
    await store.delete(`/bans/${ban.id}`)
    expect((await buy(customer)).status).toBe(200)
  })

  it('is matched by the name entered at sign-in', async () => {
    const isles = await createStore({ game: 'minecraft_offline' })
    const stall = openShop(isles)
    const [name, { id: product_id }] = [fresh.name(), await stall.product()]
    const signIn = { json: { platform: 'minecraft', id: name } }
    const { body } = await isles.shop<{ customer_token: string }>('POST', '/store/customer/auth', signIn)
    const who = await isles.shop<CustomerBody>('GET', '/store/customer', { token: body.customer_token })
    const order = { customer_id: who.body.id, lines: [{ quantity: 1, product_id }] }
    const ban = await stall.ban('customer_name', name.toUpperCase())
    expectFault(await stall.order(order), 'customer-banned')
    await isles.delete(`/bans/${ban.id}`)
    expect((await stall.order(order)).status).toBe(200)
  })

  it('is matched by the billing email address, ignoring case', async () => {
    const [customer, banned] = [await newBuyer(), fresh.email()]
    const ban = await shop.ban('email', banned)
    const billing_email = ` ${banned.toUpperCase()}`
    expectFault(await buy(customer, { billing_email }), 'customer-banned')
    expect((await buy(customer)).status).toBe(200)
    await store.delete(`/bans/${ban.id}`)
    expect((await buy(customer, { billing_email })).status).toBe(200)
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.8', '::ffff:203.0.113.8'],
    ['2001:db8:7::1', '2001:0DB8:7:0::1'],
  ])('is matched by the IP address %s written as %s', async (banned, from) => {
    const customer = await newBuyer()
    const ban = await shop.ban('ip', banned)
    expectFault(await buy(customer, { from }), 'customer-banned')
    expect((await buy(customer)).status).toBe(200)
    expect((await shop.order({ lines, customer_id: customer.id })).status).toBe(200)
    await store.delete(`/bans/${ban.id}`)
    expect((await buy(customer, { from })).status).toBe(200)
  })

  it('can buy after the ban expires, and not after it is renewed', async () => {
    const customer = await newBuyer()
    const ban = await shop.ban('customer', customer.id)
    await store.patch(`/bans/${ban.id}`, { expires_at: '2020-01-01T00:00:00Z' })
    expect((await buy(customer)).status).toBe(200)
    await store.patch(`/bans/${ban.id}`, { expires_at: null })
    expectFault(await buy(customer), 'customer-banned')
  })

  it('can buy in other stores', async () => {
    const other = openShop(await createStore())
    const steam_id = fresh.steamId()
    await shop.ban('steam', steam_id)
    const [theirs, buyer] = [await other.product(), await other.customer({ steam_id })]
    expect((await other.order({ customer_id: buyer.id, lines: [{ quantity: 1, product_id: theirs.id }] })).status).toBe(
      200,
    )
  })

  it('gets the ban error rather than validation errors, and reserves no coupon', async () => {
    const customer = await newBuyer()
    const ban = await shop.ban('customer', customer.id)
    const coupon = await shop.coupon({ redeem_limit_store_enabled: true, redeem_limit_store_amount: 1 })
    const input = { lines, customer_id: customer.id, coupon_id: coupon.id }
    expectFault(await shop.order({ ...input, promo_codes: [fresh.code()] }), 'customer-banned')
    expectFault(await shop.order(input), 'customer-banned')
    await store.delete(`/bans/${ban.id}`)
    expect((await shop.order(input)).status).toBe(200)
  })

  it('gets no session for repeated attempts with a key, and a session with the same key after the ban', async () => {
    const own = await createStore()
    const { ban, customer, order, product: make } = openShop(own)
    const [buyer, sold] = [await customer(), await make()]
    const { id } = await ban('customer', buyer.id)
    const headers = { 'idempotency-key': fresh.idempotencyKey() }
    const input = { customer_id: buyer.id, lines: [{ quantity: 1, product_id: sold.id }] }
    expectFault(await order(input, { headers }), 'customer-banned')
    expectFault(await order(input, { headers }), 'customer-banned')
    expect((await own.get('/checkouts')).body).toEqual([])
    await own.delete(`/bans/${id}`)
    expect((await order(input, { headers })).status).toBe(200)
  })
})
