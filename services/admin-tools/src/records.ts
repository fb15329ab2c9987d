import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { cellOf } from '@storekeep/common/flake'
import { type CheckoutSession, CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { type Payment, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { type ApiKey, Game, type Store } from '@storekeep/proto/stores/v1/store'
import type { ResultRecord } from './output.ts'

export function storeRecord(store: Store): ResultRecord {
  return {
    id: store.id,
    cell: cellOf(store.id),
    slug: store.slug,
    name: store.name,
    game: enumName(Game, store.game),
    currency: store.currency,
    bedrock_prefix: store.bedrockPrefix,
    logo_url: store.logoUrl ?? null,
    logo_square_url: store.logoSquareUrl ?? null,
    accent_color: store.accentColor ?? null,
    created_at: time(store.createdAt),
  }
}

export function apiKeyRecord(key: ApiKey): ResultRecord {
  return {
    id: key.id,
    store_id: key.storeId,
    name: key.name,
    created_at: time(key.createdAt),
    expires_at: time(key.expiresAt),
    last_used_at: time(key.lastUsedAt),
    revoked_at: time(key.revokedAt),
    scopes: key.scopes,
  }
}

export function checkoutRecord(session: CheckoutSession): ResultRecord {
  return {
    id: session.id,
    store_id: session.storeId,
    customer_id: session.customerId,
    status: enumName(CheckoutSessionStatus, session.status),
    currency: session.currency,
    total_amount: Number(session.totalAmount),
    created_at: time(session.createdAt),
    completed_at: time(session.completedAt),
    canceled_at: time(session.canceledAt),
  }
}

export function paymentRecord(payment: Payment): ResultRecord {
  return {
    id: payment.id,
    store_id: payment.storeId,
    checkout_id: payment.checkoutId,
    customer_id: payment.customerId,
    // Null for a moment if checkout is unavailable.
    order_id: payment.orderId ?? null,
    status: enumName(PaymentStatus, payment.status),
    settlement: enumName(PaymentSettlement, payment.settlement),
    currency: payment.currency,
    amount: Number(payment.amount),
  }
}

/** `minecraft_offline` for Game.MINECRAFT_OFFLINE. */
function enumName(names: Readonly<Record<string, number>>, value: number): string {
  const [name = ''] = Object.entries(names).find(([, number]) => number === value) ?? []
  return name.toLowerCase()
}

function time(value: Timestamp | undefined): string | null {
  return value ? timestampDate(value).toISOString() : null
}
