import { isDeepStrictEqual } from 'node:util'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { DeliveryItemState, RevokeReason } from '@storekeep/proto/delivery/v1/delivery_item'
import type { ItemStatus } from '@storekeep/proto/delivery/v1/item_status'
import { html } from 'hono/html'
import { isDelivered, type Wait, waitsOf } from '../delivery/item-status.ts'
import type { Delivery } from '../delivery/load-delivery.ts'
import { formatCount, formatDate, formatList } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { timeIn } from './parts.ts'

/** Items with what became of them, and what they wait for. Equal neighbors are one entry with a quantity. */
export function itemList(items: readonly ItemStatus[], view: ItemView): Html {
  const entries: Entry[] = []
  for (const item of items) {
    const entry = { item, count: 1, status: statusText(item, view.language), waits: waitsOf(item, view.nowMs) }
    const last = entries.at(-1)
    if (last && isDeepStrictEqual(shownOf(last), shownOf(entry))) last.count += 1
    else entries.push(entry)
  }
  return html`<ul class="lines">${entries.map((entry) => entryView(entry, view))}</ul>`
}

interface Entry {
  item: ItemStatus
  count: number
  status: string
  waits: Wait[]
}

/** What an entry shows, except for its quantity. */
function shownOf({ item: { product, customerId, gift }, status, waits }: Entry) {
  return { product, customerId, gift, status, waits }
}

export interface ItemView {
  serverNames: Delivery['serverNames']
  language: Language
  /** Items of other customers are gifts from this one. */
  viewerId: string
  /** Names of gift recipients, by id. */
  recipients: ReadonlyMap<string, string>
  /** Unix time in milliseconds. */
  nowMs: number
}

function entryView({ item, count, status, waits }: Entry, view: ItemView): Html {
  const { language, viewerId, recipients } = view
  const recipient = item.customerId === viewerId ? undefined : (recipients.get(item.customerId) ?? item.customerId)
  return html`<li>
<p class="line-name">${item.product?.name ?? ''}</p>
<p class="line-note">${status}</p>
${count === 1 ? '' : html`<p class="line-note">${language.texts.quantity(formatCount(count, language))}</p>`}
${giftText(item, recipient, language)}
${waits.map((wait) => html`<p class="wait">${waitText(wait, item, recipient, view)}</p>`)}
</li>`
}

function giftText({ gift }: ItemStatus, recipient: string | undefined, { texts }: Language): Html | '' {
  if (recipient !== undefined) return html`<p class="line-note">${texts.giftFor(recipient)}</p>`
  return gift ? html`<p class="line-note">${texts.delivery.gift}</p>` : ''
}

/** What became of an item: "Delivered on Nov 24, 2026 · Expires on Dec 24, 2026". */
function statusText(item: ItemStatus, language: Language): string {
  const texts = language.texts.delivery
  const date = (time: ItemStatus['addedAt']) => formatDate(time, language)
  switch (item.state) {
    case DeliveryItemState.USED:
      return texts.expiredOn(date(item.removedAt))
    case DeliveryItemState.RENEWED:
      return texts.renewedOn(date(item.removedAt))
    case DeliveryItemState.REVOKED:
      return revokedText(item, date(item.revokedAt ?? item.removedAt), language)
    default: {
      const expiry = item.expiresAt ? [texts.expiresOn(date(item.expiresAt))] : []
      if (item.state !== DeliveryItemState.ACTIVE) return [texts.notYet, ...expiry].join(' · ')
      const added = date(item.activeAt ?? item.addedAt)
      return [isDelivered(item) ? texts.deliveredOn(added) : texts.addedOn(added), ...expiry].join(' · ')
    }
  }
}

function revokedText({ revokeReason }: ItemStatus, date: string, { texts: { delivery } }: Language): string {
  switch (revokeReason) {
    case RevokeReason.REFUND:
      return delivery.refundedOn(date)
    case RevokeReason.CHARGEBACK:
      return delivery.chargedBackOn(date)
    default:
      return delivery.revokedOn(date)
  }
}

/** @param recipient the name of the recipient, if the item is a gift from the viewer */
function waitText(wait: Wait, item: ItemStatus, recipient: string | undefined, view: ItemView): Html | string {
  const { language } = view
  const texts = language.texts.delivery
  const product = item.product?.name ?? ''
  switch (wait.kind) {
    case 'join': {
      if (recipient !== undefined) return texts.giftJoin(recipient)
      const servers = serverList(wait.serverIds, view)
      return servers === undefined ? texts.joinAny(product) : texts.join(servers, product)
    }
    case 'account':
      return recipient === undefined
        ? texts.addAccount(wait.account, product)
        : texts.giftAccount(recipient, wait.account)
    case 'server': {
      const servers = serverList(wait.serverIds, view)
      return servers === undefined ? texts.waitsForAny : texts.waitsFor(servers)
    }
    case 'later':
      return timeIn(texts.later, timestampFromMs(wait.timeMs), language)
    case 'unconfirmed':
      return texts.unconfirmed
    case 'details':
      return texts.detailsMissing
    case 'slots':
      return texts.freeSlots(wait.count)
  }
}

/** "Survival, Creative and 2 more servers". Undefined if no name is known, such as after the server was deleted. */
function serverList(ids: readonly string[], { serverNames, language }: ItemView): string | undefined {
  const names = ids.flatMap((id) => serverNames.get(id) ?? [])
  if (names.length === 0) return undefined
  const hidden = names.length - maxNames
  const shown = hidden > 0 ? [...names.slice(0, maxNames), language.texts.delivery.moreServers(hidden)] : names
  return formatList(shown, language)
}

/** A store can have 100 game servers. */
const maxNames = 3
