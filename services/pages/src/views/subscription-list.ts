import { type Subscription, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import type { PageRequest } from '../http/route.ts'
import type { Texts } from '../texts/en.ts'
import { formatDate, formatEvery, formatMoney } from '../texts/format.ts'
import type { Language } from '../texts/language.ts'
import type { Html } from './html.ts'
import { recordTable } from './record-table.ts'

/** @param headingId the heading that names the table */
export function subscriptionList(
  subscriptions: readonly Subscription[],
  headingId: string,
  { language, site }: PageRequest,
): Html {
  const { texts } = language
  const headings = [texts.subscription, texts.date, texts.status, texts.total]
  const rows = subscriptions.map((subscription) => ({
    href: `${site.path}/subscriptions/${subscription.id}`,
    name: nameOf(subscription),
    cells: [formatDate(subscription.createdAt, language), statusOf(subscription, texts)],
    amount: priceOf(subscription, language),
  }))
  return recordTable(headingId, headings, rows)
}

/** The products of a subscription. */
export function nameOf({ lines }: Subscription): string {
  return lines.map(({ name }) => name).join(', ')
}

/** What a renewal costs, and how often: "€9.99 every month". */
export function priceOf(subscription: Subscription, language: Language): string {
  const price = formatMoney(subscription.renewalAmount, subscription.currency, language)
  return language.texts.pricePer(price, formatEvery(subscription, language))
}

export function statusOf(
  { status, cancelAtPeriodEnd }: Pick<Subscription, 'status' | 'cancelAtPeriodEnd'>,
  { subscriptionStatus }: Texts,
): string {
  switch (status) {
    case SubscriptionStatus.CANCELED:
      return subscriptionStatus.canceled
    case SubscriptionStatus.PAST_DUE:
      return subscriptionStatus.pastDue
    default:
      return cancelAtPeriodEnd ? subscriptionStatus.ending : subscriptionStatus.active
  }
}
