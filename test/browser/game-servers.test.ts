import { describe, expect, inject, it } from 'vitest'
import { openShop, type TestStore, useSharedSystem } from '../kit/index.ts'
import { checkoutPages, enterEmail, pay, success } from './checkout-page.ts'
import { asShopper, expectAccessible } from './shopper.ts'
import { useDatabase } from './use-database.ts'

const system = await useSharedSystem()
const { pagesUrl = '', gatewayUrls } = inject('system')
const { database } = useDatabase()
const { aCheckout } = checkoutPages(system, pagesUrl)

/** A checkout of one product that is delivered to one of two servers. */
async function aDeliveredCheckout() {
  const { store, shop } = await aCheckout()
  const player = await shop.customer({ name: 'Ada', steam_id: '76561198000000077' })
  const survival = await aServer(store, 'Survival')
  const creative = await aServer(store, 'Creative')
  const product = await shop.product({
    name: 'VIP rank',
    price: 1250,
    single_game_server_only: true,
    commands: [{ stage: 'on_purchase', content: 'grant {customer.steam.id} vip', online_only: true }],
  })
  const lines = [{ product_id: product.id, quantity: 1, selected_gameserver_id: survival.id }]
  const { body, text } = await shop.order({ customer_id: player.id, lines })
  expect(body.token, text).toBeDefined()
  return { store, player, survival, creative, url: `${pagesUrl}/checkout/?t=${body.token}` }
}

async function aServer(store: TestStore, name: string): Promise<{ id: string; token: string }> {
  const { body, status, text } = await store.post<{ id: string; token: string }>('/gameservers', {
    name,
    enabled: true,
  })
  expect(status, text).toBe(200)
  return body
}

/** Fetches the commands of a server for the players who are online, and acknowledges them. */
async function playOn({ token }: { token: string }, steamId: string): Promise<string[]> {
  const send = async (method: string, body: object) => {
    const response = await fetch(`${gatewayUrls[0]}/v1/delivery/command-queue`, {
      method,
      headers: { authorization: `Gameserver ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.ok).toBe(true)
    return response
  }
  const commands = (await (await send('POST', { steam_ids: [steamId] })).json()) as {
    attempt_id: string
    command: string
  }[]
  await send(
    'DELETE',
    commands.map(({ attempt_id }) => ({ attempt_id })),
  )
  return commands.map(({ command }) => command)
}

describe('a product for one game server', () => {
  it.each([
    ['with script', true],
    ['without script', false],
  ])('is delivered to the server that the buyer chose on the page, %s', async (_, javaScriptEnabled) => {
    const { store, player, survival, creative, url } = await aDeliveredCheckout()
    await asShopper(
      async (page) => {
        await page.goto(url)
        const field = page.getByLabel('Game server (VIP rank)')
        expect(await field.locator('option:checked').textContent()).toBe('Survival')
        await field.selectOption('Creative')
        if (javaScriptEnabled) {
          // What was chosen stays while the order changes.
          await page.getByLabel('Coupon code').fill('unknown')
          await page.getByRole('button', { name: 'Apply' }).click()
          await page.getByText('This code is not valid.').waitFor()
          expect(await field.locator('option:checked').textContent()).toBe('Creative')
          await expectAccessible(page)
        }
        await pay(page, 'Approve', '€12.50')
        await success(page)
        const next = page.getByRole('region', { name: 'What happens next' })
        const isShown = async (text: string) => {
          await expect
            .poll(async () => {
              await page.reload()
              return await next.textContent()
            })
            .toContain(text)
        }
        await isShown('Join Creative to receive VIP rank.')
        expect(await playOn(survival, '76561198000000077')).toEqual([])
        // The process that answers may read new commands a moment after the page shows them.
        await expect.poll(() => playOn(creative, '76561198000000077')).toEqual(['grant 76561198000000077 vip'])
        await isShown('Everything in this order has been delivered.')
        const session = await store.post<{ token: string }>(`/customers/${player.id}/portal-sessions`, {})
        await page.goto(`${pagesUrl}/portal/?t=${session.body.token}`)
        await page.getByRole('region', { name: 'Your items' }).getByText('Delivered on').waitFor()
      },
      { javaScriptEnabled },
    )
  })

  it('cannot be delivered to a server that was deleted in the meantime, and says so beside the line', async () => {
    const { store, creative, url } = await aDeliveredCheckout()
    await asShopper(async (page) => {
      await page.goto(url)
      await page.getByLabel('Game server').selectOption('Creative')
      await aServer(store, 'Skyblock')
      expect((await store.delete(`/gameservers/${creative.id}`)).status).toBe(204)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €12.50' }).click()
      await page.locator('#game-server-1-hint').getByText('This game server can no longer be chosen.').waitFor()
      expect(await page.locator('#game-server-1 option').allInnerTexts()).toEqual(['Survival', 'Skyblock'])
      await expectAccessible(page)
    })
  })
})

describe('a product that requires another one', () => {
  it('is not sold once its buyer has lost the other one, and the page says why', async () => {
    const { store, shop, customer } = await aCheckout()
    const vip = await shop.product({ name: 'VIP' })
    const items = await store.post<{ id: string }[]>(`/customers/${customer.id}/delivery/items`, { product_id: vip.id })
    expect(items.status, items.text).toBeLessThan(300)
    const plus = await shop.product({ name: 'VIP+', price: 500, required_product_ids: [vip.id] })
    const lines = [{ product_id: plus.id, quantity: 1 }]
    const { body, status, text } = await shop.order({ customer_id: customer.id, lines })
    expect(status, text).toBe(200)
    for (const { id } of items.body) await store.delete(`/customers/${customer.id}/delivery/items/${id}`)
    await asShopper(async (page) => {
      await page.goto(`${pagesUrl}/checkout/?t=${body.token}`)
      await enterEmail(page)
      await page.getByRole('button', { name: 'Pay €5.00' }).click()
      await page.getByRole('alert').getByText('To buy VIP+, you first need VIP. You have not been charged.').waitFor()
      await expectAccessible(page)
    })
  })
})

describe('the items of an account', () => {
  it('show a missing account until it is added, and what has expired or was revoked', async () => {
    const store = await system.createStore({ game: 'minecraft' })
    const shop = openShop(store)
    const player = await shop.customer({ name: 'Ada' })
    await aServer(store, 'Survival')
    const content = 'give {customer.minecraft.uuid} pet'
    const pet = await shop.product({ name: 'Pet', commands: [{ stage: 'on_purchase', content, online_only: true }] })
    const badge = await shop.product({ name: 'Badge' })
    const items = `/customers/${player.id}/delivery/items`
    const grant = async (input: object) => {
      const { body, status, text } = await store.post<{ id: string }[]>(items, input)
      expect(status, text).toBeLessThan(300)
      return body[0]?.id ?? ''
    }
    const petId = await grant({ product_id: pet.id })
    const badgeId = await grant({ product_id: badge.id, override_expires_at: '2100-01-01T00:00:00Z' })
    await database.query('update delivery.delivery_item set expiry_due_at = added_at where id = $1', [badgeId])
    const session = await store.post<{ token: string }>(`/customers/${player.id}/portal-sessions`, {})
    await asShopper(async (page) => {
      await page.goto(`${pagesUrl}/portal/?t=${session.body.token}`)
      const isShown = async (text: RegExp) => {
        await expect
          .poll(async () => {
            await page.reload()
            return await page.getByRole('region', { name: 'items' }).textContent()
          })
          .toMatch(text)
      }
      await isShown(/Add your Minecraft account in the store to receive Pet[.]/)
      const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5'
      expect((await store.patch(`/customers/${player.id}`, { minecraft_uuid: uuid })).status).toBe(200)
      await isShown(/Join Survival to receive Pet[.]/)
      expect((await store.delete(`${items}/${petId}`)).status).toBe(204)
      await page.getByRole('link', { name: 'All items' }).click()
      await isShown(/Badge\s*Expired on .*Pet\s*Revoked by the store on /s)
      await expectAccessible(page)
    })
  })
})
