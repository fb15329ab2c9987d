import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { countEvents, eventsOf, faultOf, withKey } from '@storekeep/common/testing'
import { CheckoutSessionSchema, CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { ActorType } from '@storekeep/proto/common/v1/actor'
import { PriceType } from '@storekeep/proto/custom_variables/v1/custom_variable'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { createTestSession, inline, newBuyer, ofProduct, useCheckouts } from './harness.ts'

const checkouts = useCheckouts()
const { coupons, customers, customVariables, delivery } = checkouts.others

describe('CreateCheckoutSession', () => {
  it('creates an open, priced session with every field and returns its token only once', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const friend = customers.add(options.storeId)
    const server = delivery.addServer(options.storeId)
    const color = customVariables.add('color', {
      red: { name: 'Cherry red', price: 250n, priceType: PriceType.FIXED },
      gold: { price: -100n, priceType: PriceType.PERCENTAGE },
    })
    const productId = await checkouts.addProduct(options, {
      customVariableIds: [color],
      imageUrl: 'https://shop.example/vip.png',
    })
    const coupon = coupons.add()
    const link = coupons.addLink(300n)
    const request = {
      customerId,
      lines: [
        ofProduct(productId, {
          quantity: 2,
          customVariables: { color: 'red' },
          recipient: { case: 'giftToCustomerId', value: friend },
          selectedGameserverId: server,
          metadata: { note: 'a' },
          payoutSplits: [{ payoutId: 'p1', percentage: 2500n, platformFee: 250n }, { payoutId: 'p2' }],
        }),
        inline(
          {
            name: 'Season pass',
            price: 995n,
            allowSubscription: true,
            subscriptionIntervalValue: 1,
            subscriptionIntervalScale: 3,
            tags: ['5'],
          },
          { subscription: true, trial: true },
        ),
      ],
      promoCodes: [coupons.codeOf(coupon)],
      affiliateCode: link,
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
      autoRedirect: true,
      metadata: { campaign: 'x' },
      customerDetails: {
        billingName: 'Robin',
        billingEmail: 'robin@example.org',
        billingTaxId: 'DE1',
        billingAddress: { country: 'DE', state: 'BE', city: 'Berlin', postalCode: '10115', line1: 'A 1', line2: '' },
      },
      customerIp: '192.0.2.1',
    } as const

    const {
      session: created,
      token,
      url,
    } = await checkouts.client.createCheckoutSession(
      { ...request, lines: [...request.lines], promoCodes: [...request.promoCodes] },
      options,
    )
    expect(token).toMatch(/^[a-z2-7]{28}$/)
    expect(url).toBe(`https://pay.example/?t=${token}`)
    const { id = '' } = created ?? {}
    // The response is stored with its secrets for a day, so it is kept as short as possible.
    expect(created).toEqual(create(CheckoutSessionSchema, { id }))
    const { session } = await checkouts.client.getCheckoutSession({ checkoutId: id }, options)
    expect(session).toMatchObject({
      storeId: options.storeId,
      customerId,
      status: CheckoutSessionStatus.OPEN,
      currency: 'eur',
      lines: [
        {
          productId,
          name: 'VIP rank',
          imageUrl: 'https://shop.example/vip.png',
          quantity: 2,
          unitPrice: 1250n,
          optionsAmount: 250n,
          discountAmount: 250n,
          totalAmount: 2250n,
          subscription: false,
          trial: false,
          giftToCustomerId: friend,
          selectedGameserverId: server,
          customVariables: { color: 'red' },
          answeredVariables: [{ identifier: 'color', name: 'The color', optionName: 'Cherry red' }],
          metadata: { note: 'a' },
          payoutSplits: [{ payoutId: 'p1', percentage: 2500n, platformFee: 250n }, { payoutId: 'p2' }],
        },
        {
          name: 'Season pass',
          quantity: 1,
          unitPrice: 995n,
          optionsAmount: 0n,
          discountAmount: 99n,
          totalAmount: 896n,
          subscription: true,
          trial: true,
          customVariables: {},
          metadata: {},
          inlineProduct: { name: 'Season pass', price: 995n, tags: ['5'], subscriptionIntervalValue: 1 },
        },
      ],
      couponId: coupon,
      couponCode: coupons.codeOf(coupon),
      affiliateLinkId: coupons.linkId(link),
      subtotalAmount: 3495n,
      couponDiscountAmount: 349n,
      affiliateDiscountAmount: 300n,
      discountAmount: 649n,
      totalAmount: 2846n,
      returnUrl: request.returnUrl,
      cancelUrl: request.cancelUrl,
      autoRedirect: true,
      metadata: { campaign: 'x' },
      customerDetails: request.customerDetails,
      createdBy: { type: ActorType.API_KEY },
      version: 1n,
    })
    expect(session?.lines[1]?.productId ?? session?.lines[1]?.giftToCustomerId).toBeUndefined()
    const { createdAt, expiresAt } = session ?? {}
    expect(Number(expiresAt && timestampDate(expiresAt)) - Number(createdAt && timestampDate(createdAt))).toBe(
      24 * 3_600_000,
    )
  })

  it('creates a session from only a customer and a line', async () => {
    const session = await createTestSession(checkouts)
    expect(session).toMatchObject({
      lines: [{ unitPrice: 1000n, totalAmount: 1000n, customVariables: {}, metadata: {}, payoutSplits: [] }],
      subtotalAmount: 1000n,
      discountAmount: 0n,
      totalAmount: 1000n,
      autoRedirect: false,
      metadata: {},
    })
    expect(session.couponId ?? session.affiliateLinkId ?? session.returnUrl ?? session.customerDetails).toBeUndefined()
  })

  it('publishes the whole session in one event and stores the token nowhere in plain text', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const created = await checkouts.client.createCheckoutSession({ customerId, lines: [inline()] }, keyed)
    const { id: checkoutId = '' } = created.session ?? {}
    const { session } = await checkouts.client.getCheckoutSession({ checkoutId }, options)
    const [event, ...others] = await eventsOf(checkouts, checkoutId)
    expect(event).toMatchObject({ type: 'checkout_session.created', version: '1', storeId: options.storeId })
    expect(event?.message).toMatchObject({ session })
    expect(others).toEqual([])
    const tables = await checkouts.database.query<{ text: string }>(sql`
      select (select string_agg(encode(payload, 'escape'), '') from outbox)
        || (select string_agg(checkout_session::text, '') from checkout_session)
        || (select string_agg(encode(response, 'escape'), '') from idempotency_record) as text`)
    expect(tables[0]?.text).not.toContain(created.token)
    expect(checkouts.logLines.join('')).not.toContain(created.token)
  })

  it('returns the same token for a repeated call without calling other services again', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const coupon = coupons.add()
    const keyed = withKey(options)
    const request = { customerId, lines: [inline()], couponId: coupon }
    const first = await checkouts.client.createCheckoutSession(request, keyed)
    coupons.outage = 'unavailable'
    checkouts.others.bans.outage = 'unavailable'
    const again = await checkouts.client.createCheckoutSession(request, keyed).finally(() => {
      coupons.outage = 'none'
      checkouts.others.bans.outage = 'none'
    })
    expect(again).toEqual(first)
    expect(coupons.reservationsOf(coupon)).toMatchObject({ reserved: 1, released: 0 })
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
    const other = checkouts.client.createCheckoutSession({ ...request, metadata: { a: 'b' } }, keyed)
    expect(await faultOf(other)).toMatchObject({ code: 'idempotency-mismatch' })
  })

  it('returns the same response for a repeated call from a different customer address', async () => {
    const { options, customerId } = newBuyer(checkouts)
    const keyed = withKey(options)
    const from = (customerIp?: string) =>
      checkouts.client.createCheckoutSession(
        { customerId, lines: [inline()], ...(customerIp !== undefined && { customerIp }) },
        keyed,
      )
    const first = await from('192.0.2.1')
    expect(await from('192.0.2.2')).toEqual(first)
    expect(await from()).toEqual(first)
    expect(await countEvents(checkouts, options.storeId)).toBe(1)
  })

  it('finds or creates the recipients of gifts, once per account', async () => {
    const buyer = newBuyer(checkouts)
    const giftTo = (platform: string, id: string) => ({
      recipient: { case: 'giftTo' as const, value: { platform, id } },
    })
    const known = customers.accounts.length
    const session = await createTestSession(checkouts, buyer, {
      lines: [
        inline({}, giftTo('steam', '76561198000000001')),
        inline({}, giftTo('minecraft', 'Notch')),
        inline({}, giftTo('steam', '76561198000000001')),
        inline(),
      ],
    })
    const [first, second, third, own] = session.lines.map(({ giftToCustomerId }) => giftToCustomerId)
    expect([first === third, first === second, own]).toEqual([true, false, undefined])
    expect(customers.accounts.slice(known)).toEqual([
      `${buyer.options.storeId} steam 76561198000000001`,
      `${buyer.options.storeId} minecraft Notch`,
    ])
  })

  it('limits the concurrent requests for the recipients of an order', async () => {
    const buyer = newBuyer(checkouts)
    const gifts = [
      ...Array.from({ length: 50 }, () => customers.add(buyer.options.storeId)).map((value) => ({
        recipient: { case: 'giftToCustomerId' as const, value },
      })),
      ...Array.from({ length: 50 }, (_, index) => ({
        recipient: {
          case: 'giftTo' as const,
          value: { platform: 'xbox_xuid', id: `${2_533_274_792_395_000 + index}` },
        },
      })),
    ]
    customers.maxConcurrent = 0
    const { lines } = await createTestSession(checkouts, buyer, { lines: gifts.map((gift) => inline({}, gift)) })
    expect(new Set(lines.map(({ giftToCustomerId }) => giftToCustomerId)).size).toBe(100)
    // Eight recipients and the buyer.
    expect(customers.maxConcurrent).toBeLessThanOrEqual(9)
  })

  it('sends the answers of each line to custom variables with their paths in the request', async () => {
    const buyer = newBuyer(checkouts)
    const kit = customVariables.add('kit')
    const productId = await checkouts.addProduct(buyer.options, { customVariableIds: [kit] })
    const session = await createTestSession(checkouts, buyer, {
      lines: [
        inline(),
        ofProduct(productId, { customVariables: { kit: 'a' } }),
        inline({ customVariableIds: [kit] }, { customVariables: { kit: 'b' } }),
      ],
    })
    expect(session.lines.map(({ customVariables: answers }) => answers)).toEqual([{}, { kit: 'a' }, { kit: 'b' }])
    expect(customVariables.lines).toMatchObject([
      { path: 'lines.1.custom_variables', customVariableIds: [kit], values: { kit: 'a' } },
      {
        path: 'lines.2.custom_variables',
        customVariableIds: [kit],
        customVariableIdsPath: 'lines.2.inline_product.custom_variable_ids',
      },
    ])
    expect(customVariables.lines[0]?.customVariableIdsPath).toBeUndefined()
  })

  it('reduces the price by options, but not below 0', async () => {
    const buyer = newBuyer(checkouts)
    const id = customVariables.add('tier', {
      half: { price: -500n, priceType: PriceType.PERCENTAGE },
      free: { price: -5000n, priceType: PriceType.FIXED },
    })
    const line = (tier: string) => inline({ price: 999n, customVariableIds: [id] }, { customVariables: { tier } })
    const session = await createTestSession(checkouts, buyer, { lines: [line('half'), line('free')] })
    expect(session.lines).toMatchObject([
      // Half of 999 is 499.5, rounded away from zero.
      { unitPrice: 499n, optionsAmount: -500n },
      { unitPrice: 0n, optionsAmount: -999n, totalAmount: 0n },
    ])
  })

  it('caches the currency of a store for a few seconds', async () => {
    const buyer = newBuyer(checkouts)
    const before = checkouts.others.stores.calls
    await createTestSession(checkouts, buyer)
    await createTestSession(checkouts, buyer)
    expect(checkouts.others.stores.calls - before).toBe(1)
    checkouts.clock.advance(5001)
    await createTestSession(checkouts, buyer)
    expect(checkouts.others.stores.calls - before).toBe(2)
  })
})
