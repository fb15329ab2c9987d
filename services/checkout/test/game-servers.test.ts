import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { CommandStage } from '@storekeep/proto/checkout/v1/product'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createTestSession,
  inline,
  type Line,
  newBuyer,
  ofProduct,
  rejectionsOf,
  shopper,
  useCheckouts,
} from './harness.ts'

const checkouts = useCheckouts()
const { customVariables, delivery } = checkouts.others

const buy = (buyer: ReturnType<typeof newBuyer>, lines: Line[]) => rejectionsOf(checkouts, buyer, lines)
const command = { stage: CommandStage.ON_PURCHASE, content: 'give {customer.name}', onlineOnly: true }
const path = 'lines.0.selected_gameserver_id'

describe('the game server of a line', () => {
  it('must be an enabled server of the product', async () => {
    const buyer = newBuyer(checkouts)
    const { storeId = '' } = buyer.options
    const [one, disabled] = [delivery.addServer(storeId), delivery.addServer(storeId, false)]
    const another = delivery.addServer(storeId)
    const productId = await checkouts.addProduct(buyer.options, {
      gameServerIds: [one, disabled],
      singleGameServerOnly: true,
    })
    const on = (selectedGameserverId?: string) =>
      ofProduct(productId, { ...(selectedGameserverId !== undefined && { selectedGameserverId }) })
    expect(await buy(buyer, [on()])).toEqual([`${path} required`])
    expect(await buy(buyer, [on(another)])).toEqual([`${path} enum`])
    expect(await buy(buyer, [on(randomId())])).toEqual([`${path} reference`])
    expect(await buy(buyer, [on(one)])).toEqual([])
    expect(await buy(buyer, [on(disabled)])).toEqual([`${path} enum`])
    const message = 'is disabled: choose an enabled game server'
    const rejected = checkouts.client.createCheckoutSession(
      { customerId: buyer.customerId, lines: [on(disabled)] },
      buyer.options,
    )
    expect(await faultOf(rejected)).toMatchObject({ violations: [{ path, message }] })
  })

  it('can be any enabled server of the store if the product names none, and is optional unless the product asks', async () => {
    const buyer = newBuyer(checkouts)
    const { storeId = '' } = buyer.options
    const [enabled, disabled] = [delivery.addServer(storeId), delivery.addServer(storeId, false)]
    expect(await buy(buyer, [inline()])).toEqual([])
    expect(await buy(buyer, [inline({}, { selectedGameserverId: enabled })])).toEqual([])
    expect(await buy(buyer, [inline({}, { selectedGameserverId: disabled })])).toEqual([`${path} enum`])
    expect(await buy(buyer, [inline({ singleGameServerOnly: true })])).toEqual([`${path} required`])
  })

  it('returns 503 while the delivery service is unavailable', async () => {
    const buyer = newBuyer(checkouts)
    const server = delivery.addServer(buyer.options.storeId ?? '')
    delivery.outage = 'unavailable'
    onTestFinished(() => {
      delivery.outage = 'none'
    })
    const lines = [inline({}, { selectedGameserverId: server })]
    const fault = await faultOf(
      checkouts.client.createCheckoutSession({ customerId: buyer.customerId, lines }, buyer.options),
    )
    expect(fault).toMatchObject({ code: 'service-unavailable' })
  })
})

describe('an inline product', () => {
  it('may name only game servers of the store', async () => {
    const buyer = newBuyer(checkouts)
    const server = delivery.addServer(buyer.options.storeId ?? '')
    const foreign = delivery.addServer(randomId())
    const terms = {
      gameServerIds: [server, foreign],
      commands: [{ ...command, overrideExecuteOnGameserverIds: [foreign, server] }],
    }
    expect(await buy(buyer, [inline(terms)])).toEqual([
      'lines.0.inline_product.gameservers.1 reference',
      'lines.0.inline_product.commands.0.override_execute_on_gameserver_ids.0 reference',
    ])
  })

  it('keeps its commands in the session, and may use only its own variables in them', async () => {
    const buyer = newBuyer(checkouts)
    const kit = customVariables.add('kit')
    const commands = [command, { ...command, content: 'kit {variables.kit|none} {variables.color}' }]
    const line = (identifiers: string[], customVariableIds: string[]) =>
      inline(
        { commands, customVariableIds },
        { customVariables: Object.fromEntries(identifiers.map((identifier) => [identifier, 'x'])) },
      )
    expect(await buy(buyer, [line([], [])])).toEqual([
      'lines.0.inline_product.commands.1.content reference',
      'lines.0.inline_product.commands.1.content reference',
    ])
    expect(await buy(buyer, [line(['kit'], [kit])])).toEqual(['lines.0.inline_product.commands.1.content reference'])
    const color = customVariables.add('color')
    const { lines } = await createTestSession(checkouts, buyer, { lines: [line(['kit', 'color'], [kit, color])] })
    expect(lines[0]?.inlineProduct?.commands).toMatchObject(commands)
  })

  it('rejects an unknown placeholder with the path of the command', async () => {
    const commands = [{ ...command, content: 'ban {customer.nmae}' }]
    expect(await buy(newBuyer(checkouts), [inline({ commands })])).toEqual([
      'lines.0.inline_product.commands.0.content pattern',
    ])
  })
})

describe('a text answer that no pattern restricts', () => {
  it.each(['x; op me', 'x\nop me', 'a b', '"', '{player.name}', '@a', '/op', 'x|y', '\u2028'])(
    'is rejected as %j in a product whose commands use it',
    async (answer) => {
      const buyer = newBuyer(checkouts)
      const nick = customVariables.addText('nick')
      const commands = [{ ...command, content: 'nick {customer.name} {variables.nick}' }]
      const productId = await checkouts.addProduct(buyer.options, { commands, customVariableIds: [nick] })
      const line = ofProduct(productId, { customVariables: { nick: answer } })
      expect(await buy(buyer, [line])).toEqual(['lines.0.custom_variables.nick pattern'])
    },
  )

  it('may have letters, digits, underscores, periods and hyphens', async () => {
    const buyer = newBuyer(checkouts)
    const nick = customVariables.addText('nick')
    const commands = [{ ...command, content: 'nick {variables.nick}' }]
    const productId = await checkouts.addProduct(buyer.options, { commands, customVariableIds: [nick] })
    expect(await buy(buyer, [ofProduct(productId, { customVariables: { nick: 'Jürgen_99.x-y' } })])).toEqual([])
  })

  it('is accepted as it is in a product whose commands do not use it, and with a pattern', async () => {
    const buyer = newBuyer(checkouts)
    const [nick, motto] = [customVariables.addText('nick'), customVariables.add('motto')]
    const commands = [{ ...command, content: 'motto {variables.motto}' }]
    const productId = await checkouts.addProduct(buyer.options, { commands, customVariableIds: [nick, motto] })
    const answers = { nick: 'x; op me', motto: 'carpe diem!' }
    expect(await buy(buyer, [ofProduct(productId, { customVariables: answers })])).toEqual([])
  })
})

describe('a line of a product', () => {
  it('names the version that was bought, which a later change does not alter', async () => {
    const buyer = newBuyer(checkouts)
    const productId = await checkouts.addProduct(buyer.options)
    const { product } = await checkouts.products().getProduct({ productId }, buyer.options)
    const session = await createTestSession(checkouts, buyer, { lines: [ofProduct(productId), inline()] })
    const change = { productId, product: { label: 'New' }, updateMask: { paths: ['label'] } }
    const { product: changed } = await checkouts.products().updateProduct(change, buyer.options)
    expect(changed?.versionId).not.toBe(product?.versionId)
    const { session: read } = await checkouts.client.getCheckoutSession({ checkoutId: session.id }, buyer.options)
    expect(read?.lines[0]?.productVersionId).toBe(product?.versionId)
    expect(read?.lines[1]?.productVersionId).toBeUndefined()
  })
})

describe('SelectGameServer', () => {
  /** A session of a product with a choice of two servers. Its third server is disabled. */
  async function newChoice() {
    const buyer = newBuyer(checkouts)
    const { storeId = '' } = buyer.options
    const [one, other, another] = [0, 1, 2].map(() => delivery.addServer(storeId)) as [string, string, string]
    const disabled = delivery.addServer(storeId, false)
    const productId = await checkouts.addProduct(buyer.options, {
      gameServerIds: [one, other, disabled],
      singleGameServerOnly: true,
    })
    const lines = [inline(), ofProduct(productId, { selectedGameserverId: one })]
    const created = await checkouts.client.createCheckoutSession({ customerId: buyer.customerId, lines }, buyer.options)
    const { token, session: { id = '' } = {} } = created
    const page = shopper(storeId)
    const select = (gameServerId: string, position = 2) =>
      checkouts.client.selectGameServer({ token, position, gameServerId }, page)
    return { id, one, other, another, disabled, select, token }
  }

  it('changes the server of a line that has a choice, and publishes it once', async () => {
    const { id, one, other, disabled, select } = await newChoice()
    const { session } = await select(other)
    expect(session).toMatchObject({
      lines: [{}, { selectedGameserverId: other, gameServerChoice: { gameServerIds: [one, other, disabled] } }],
      version: 2n,
    })
    expect(session?.lines[0]?.gameServerChoice).toBeUndefined()
    expect((await select(other)).session).toEqual(session)
    const [, updated, ...others] = await eventsOf(checkouts, id)
    expect(updated).toMatchObject({ type: 'checkout_session.updated', message: { session } })
    expect(others).toEqual([])
  })

  it('rejects other and disabled servers, lines without a choice, other stores and sessions that have ended', async () => {
    const { other, another, disabled, select, token } = await newChoice()
    expect(await violationsOf(select(another))).toEqual(['game_server_id enum'])
    expect(await violationsOf(select(disabled))).toEqual(['game_server_id enum'])
    expect(await violationsOf(select(randomId()))).toEqual(['game_server_id reference'])
    expect(await violationsOf(select('x'))).toEqual(['game_server_id format'])
    for (const position of [-1, 0, 1, 3]) {
      expect(await violationsOf(select(other, position))).toEqual(['position reference'])
    }
    const foreign = checkouts.client.selectGameServer({ token, position: 2, gameServerId: other }, shopper(randomId()))
    expect(await faultOf(foreign)).toMatchObject({ code: 'not-found' })
    checkouts.clock.advance(24 * 3_600_000)
    expect(await faultOf(select(other))).toMatchObject({ code: 'conflict' })
  })
})
