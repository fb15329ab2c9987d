import { currencyDigits } from '@storekeep/proto/conventions/currency'
import type { WebhookEventType } from '@storekeep/records/events/event-types'

/** The fields of the records that a message shows. A record has only some of them. */
export interface EventData {
  id?: string
  name?: string | null
  code?: string
  reason?: string | null
  status?: string
  number?: number
  currency?: string
  total_amount?: number
  renewal_amount?: number
  current_period_end?: string
  price?: number
  identifier?: string
  url?: string
  disabled_reason?: string | null
  customer_id?: string
  webhook_endpoint_id?: string
  expires_at?: string | null
  profile?: { name: string } | null
  identities?: { ban_type: string; ban_type_value: string }[]
  lines?: { name: string; quantity: number }[]
  product?: { name: string }
  state?: string
  command?: string
  kind?: string
  order_id?: string | null
  customer_name?: string | null
  gameserver_id?: string
  linked_to?: { hostname: string } | null
  discount_type?: string
  discount_amount?: number
  refund?: { amount: number; reason: string | null }
}

/** What a message shows of an event, as pairs of label and text. */
export function fieldsOf(type: string, data: EventData): [label: string, text: string][] {
  const read = readers[type.slice(0, type.indexOf('.')) as RecordName] ?? (() => [])
  const fields = [...read(data), ['Id', data.id] as Field]
  return fields.flatMap(([label, text]) => (text == null || text === '' ? [] : [[label, text]]))
}

type Field = [label: string, text: string | null | undefined]
type RecordName = WebhookEventType extends `${infer Name}.${string}` ? Name : never

const readers: Record<RecordName, (data: EventData) => Field[]> = {
  customer: ({ profile, name, customer_id, gameserver_id }) => [
    ['Name', profile?.name ?? name],
    ['Customer', customer_id],
    ['Game server', gameserver_id],
  ],
  store_tokens: () => [['Tokens', 'The tokens of all customers were revoked.']],
  portal_session: ({ customer_id, expires_at }) => [
    ['Customer', customer_id],
    ['Expires', expires_at],
  ],
  ban: ({ reason, identities, expires_at }) => [
    ['Reason', reason],
    ['Identities', identities?.map((one) => `${one.ban_type}: ${one.ban_type_value}`).join(', ')],
    ['Expires', expires_at],
  ],
  custom_variable: ({ name, identifier }) => [
    ['Name', name],
    ['Identifier', identifier],
  ],
  coupon: ({ code, discount_type, discount_amount, expires_at }) => [
    ['Code', code],
    ['Discount', discount_type === 'percent' ? `${(discount_amount ?? 0) / 10} %` : String(discount_amount ?? '')],
    ['Expires', expires_at],
  ],
  affiliate_link: ({ code }) => [['Code', code]],
  product: ({ name, price }) => [
    ['Name', name],
    ['Price', price === undefined ? undefined : `${price} (minor units)`],
  ],
  tag: ({ name }) => [['Name', name]],
  checkout_session: (data) => [['Total', money(data, data.total_amount)], ...purchase(data)],
  order: (data) => [
    ['Number', data.number === undefined ? undefined : String(data.number)],
    ['Total', money(data, data.total_amount)],
    ['Refunded', money(data, data.refund?.amount)],
    ['Refund reason', data.refund?.reason],
    ...purchase(data),
  ],
  subscription: (data) => [
    ['Renewal', money(data, data.renewal_amount)],
    ['Paid until', data.current_period_end],
    ...purchase(data),
  ],
  delivery_item: ({ product, state, customer_id, expires_at }) => [
    ['Product', product?.name],
    ['State', state],
    ['Customer', customer_id],
    ['Expires', expires_at],
  ],
  delivery_command: ({ command, customer_name, gameserver_id }) => [
    ['Command', command],
    ['Player', customer_name],
    ['Game server', gameserver_id],
  ],
  email: ({ kind, status, order_id }) => [
    ['Kind', kind],
    ['Status', status],
    ['Order', order_id],
  ],
  game_server: ({ name, linked_to }) => [
    ['Name', name],
    ['Connected as', linked_to?.hostname],
  ],
  store: ({ name }) => [['Name', name]],
  webhook_endpoint: ({ url, disabled_reason }) => [
    // The path and query of an endpoint are often its credential, as with Discord.
    ['Host', url && new URL(url).host],
    ['Reason', disabled_reason],
  ],
}

function purchase({ lines, status, customer_id }: EventData): Field[] {
  return [
    ['Products', lines?.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')],
    ['Status', status],
    ['Customer', customer_id],
  ]
}

/** An amount in the smallest unit of the currency of the record: `€19.78`. */
function money({ currency }: EventData, amount: number | undefined): string | undefined {
  if (currency === undefined || amount === undefined) return undefined
  const digits = currencyDigits(currency)
  const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...shown }).format(amount / 10 ** digits)
}
