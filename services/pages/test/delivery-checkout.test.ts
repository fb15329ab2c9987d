import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { CommandAttemptState, DeliveryItemState } from '@storekeep/proto/delivery/v1/delivery_item'
import { describe, expect, it } from 'vitest'
import { aCommand, inDays } from './fake-delivery.ts'
import { entriesOf, order, own, useDeliveryPages } from './use-delivery-pages.ts'

const { delivery, paid, checkout } = useDeliveryPages()

describe('the page of a paid checkout', () => {
  const executed = [aCommand({ state: CommandAttemptState.EXECUTED })]
  const ofOrder = { orderId: order.id, state: DeliveryItemState.ACTIVE, activeAt: inDays(0) }
  const open = async () => {
    const { body } = await checkout()
    const [, next] = /<h2 id="next">What happens next<\/h2>\s*(.*?)\s*<\/section>/s.exec(body) ?? []
    return { body, next: next ?? '', polls: body.includes('data-poll-seconds') }
  }

  it('says what the buyer has to do, and looks for changes', async () => {
    delivery.gameServers = new Map([['1', 'Survival']])
    const waiting = [aCommand({ gameServerId: '1', onlineOnly: true })]
    delivery.items = [
      own('VIP', { ...ofOrder, state: DeliveryItemState.USABLE, commands: waiting }),
      own('Kit', { ...ofOrder, commands: executed }),
    ]
    const { body, polls } = await open()
    expect(entriesOf(body)).toEqual([['VIP', 'Not delivered yet', 'Join Survival to receive VIP.']])
    expect(body).toContain('Check again')
    expect(polls).toBe(true)
  })

  it('says that the delivery is being prepared until there are items', async () => {
    expect(await open()).toMatchObject({ next: expect.stringContaining('is being prepared for delivery'), polls: true })
  })

  it('says nothing about an older order that has no items', async () => {
    paid.order = { ...order, createdAt: timestampFromMs(-2 * 60 * 60_000) }
    expect(await open()).toMatchObject({ next: '', polls: false })
  })

  it('says that everything was delivered, or that the store delivers what has no commands', async () => {
    delivery.items = [own('Kit', { ...ofOrder, commands: executed })]
    expect(await open()).toMatchObject({ next: expect.stringContaining('has been delivered'), polls: false })
    delivery.items = [...delivery.items, own('Badge', ofOrder)]
    expect(await open()).toMatchObject({ next: expect.stringContaining('The store will deliver'), polls: false })
  })

  it('thanks for the order while the delivery service is unavailable', async () => {
    delivery.outage = 'unavailable'
    const { body, next } = await open()
    expect(body).toContain('Thank you for your order!')
    expect(next).toContain('cannot be shown right now')
  })
})
