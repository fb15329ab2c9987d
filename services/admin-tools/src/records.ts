import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { cellOf } from '@storekeep/common/flake'
import { type CheckoutSession, CheckoutSessionStatus } from '@storekeep/proto/checkout/v1/checkout_session'
import { type Payment, PaymentSettlement, PaymentStatus } from '@storekeep/proto/orders/v1/payment'
import { type ApiKey, EmailKind, Game, type Store, TaxMode, TaxProvider } from '@storekeep/proto/stores/v1/store'
import { enumName } from './enum-names.ts'
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

/** Also what a table of stores has no room for. */
export function storeSettingsRecord(store: Store): ResultRecord {
  const { links, seller, tax } = store
  return {
    ...storeRecord(store),
    description: store.description ?? null,
    icon_url: store.iconUrl ?? null,
    website_url: store.websiteUrl ?? null,
    support_email: store.supportEmail ?? null,
    reply_to: store.replyTo ?? null,
    terms_url: links?.terms ?? null,
    privacy_url: links?.privacy ?? null,
    refunds_url: links?.refunds ?? null,
    seller_name: seller?.name ?? null,
    seller_address: seller?.address?.replaceAll('\n', '\\n') ?? null,
    seller_tax_id: seller?.taxId ?? null,
    seller_register: seller?.register ?? null,
    time_zone: store.timeZone,
    tax_mode: enumName(TaxMode, tax?.mode ?? TaxMode.NONE),
    tax_provider: enumName(TaxProvider, tax?.provider ?? TaxProvider.REGISTRATIONS),
    tax_country: tax?.country ?? null,
    tax_registrations: (tax?.registrations ?? []).map(
      ({ country, rate, name }) => `${country}:${rate === undefined ? '' : rate / 100}:${name}`,
    ),
    disabled_emails: store.disabledEmails.map((kind) => enumName(EmailKind, kind)),
    store_page: store.storePageEnabled ? 'on' : 'off',
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

function time(value: Timestamp | undefined): string | null {
  return value ? timestampDate(value).toISOString() : null
}
