import { expectFault, openShop, unknownId, useSharedSystem } from '@storekeep/test/kit'
import { describe, expect, it } from 'vitest'

const { createStore } = await useSharedSystem()
const store = await createStore()
const shop = openShop(store)
const customer = await shop.customer()

async function newServer(enabled = true): Promise<string> {
  const { status, body, text } = await store.post<{ id: string }>('/gameservers', { name: 'Survival', enabled })
  expect(status, text).toBe(200)
  return body.id
}

const [one, other, another] = [await newServer(), await newServer(), await newServer()]
const disabled = await newServer(false)
const at = 'lines.0.selected_gameserver_id'
const buy = (line: object) => shop.order({ customer_id: customer.id, lines: [{ quantity: 1, ...line }] })

describe('the game servers of a product', () => {
  it('are stored with the servers of its commands, and must exist in the store', async () => {
    const foreign = await openShop(await createStore()).product()
    const terms = {
      gameservers: [one, disabled],
      commands: [
        {
          stage: 'on_purchase',
          content: 'give {customer.name} diamond',
          online_only: true,
          override_execute_on_gameserver_ids: [another],
          delay_seconds: 0,
          required_slots: 0,
        },
      ],
    }
    expect(await shop.product(terms)).toMatchObject(terms)
    expectFault(
      await store.post('/products', { name: 'x', price: 5, gameservers: [one, foreign.id] }),
      'validation-failed',
      ['gameservers.1 reference'],
    )
  })
})

describe('the game server of a line', () => {
  it('is chosen among the enabled servers of the product', async () => {
    const gameservers = [one, other, disabled]
    const product_id = (await shop.product({ gameservers, single_game_server_only: true })).id
    expectFault(await buy({ product_id }), 'validation-failed', [`${at} required`])
    expectFault(await buy({ product_id, selected_gameserver_id: another }), 'validation-failed', [`${at} enum`])
    expectFault(await buy({ product_id, selected_gameserver_id: disabled }), 'validation-failed', [`${at} enum`])
    expectFault(await buy({ product_id, selected_gameserver_id: unknownId }), 'validation-failed', [`${at} reference`])
    const lines = [{ quantity: 1, product_id, selected_gameserver_id: other }]
    const session = await shop.session({ customer_id: customer.id, lines })
    expect(session.lines).toMatchObject([{ selected_gameserver_id: other }])
  })

  it('may be any enabled server if the product names none', async () => {
    const inline_product = { name: 'x', price: 5, single_game_server_only: true }
    expect((await buy({ inline_product, selected_gameserver_id: another })).status).toBe(200)
    expectFault(await buy({ inline_product, selected_gameserver_id: disabled }), 'validation-failed', [`${at} enum`])
    const product_id = (await shop.product()).id
    expect((await buy({ product_id })).status).toBe(200)
  })

  it('cannot be a server that was deleted', async () => {
    const deleted = await newServer()
    const product_id = (await shop.product({ gameservers: [deleted], single_game_server_only: true })).id
    expect((await store.delete(`/gameservers/${deleted}`)).status).toBe(204)
    expectFault(await buy({ product_id, selected_gameserver_id: deleted }), 'validation-failed', [`${at} reference`])
  })
})

describe('an answer that a command uses', () => {
  it('may contain only letters, digits, underscores, periods and hyphens, unless its variable has a pattern', async () => {
    const [free, checked] = [await shop.variable(), await shop.variable({ value_regex: '^[a-z ]+$' })]
    const custom_variable_ids = [free.id, checked.id]
    const content = `nick {variables.${free.identifier}} {variables.${checked.identifier}}`
    const { id: product_id } = await shop.product({
      custom_variable_ids,
      commands: [{ stage: 'on_purchase', content, online_only: false }],
    })
    const answer = (text: string) =>
      buy({ product_id, custom_variables: { [free.identifier]: text, [checked.identifier]: 'a b' } })
    expect((await answer('Robin_99.x-y')).status).toBe(200)
    for (const text of ['x; op me', 'x\nop me', '{player.name}', '"x"', 'x y']) {
      expectFault(await answer(text), 'validation-failed', [`lines.0.custom_variables.${free.identifier} pattern`])
    }
    // Without a command that uses it, the answer may be any text.
    const { id: plain } = await shop.product({ custom_variable_ids: [free.id] })
    const custom_variables = { [free.identifier]: 'x; op me' }
    expect((await buy({ product_id: plain, custom_variables })).status).toBe(200)
  })
})
