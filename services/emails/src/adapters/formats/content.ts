import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CheckoutLine } from '@storekeep/proto/checkout/v1/checkout_session'
import { billingLines } from '@storekeep/proto/conventions/billing-lines'
import type { Order } from '@storekeep/proto/orders/v1/order'
import { CancellationReason, SubscriptionStatus } from '@storekeep/proto/orders/v1/subscription'
import type { Language } from '../texts/language.ts'
import type { EmailFacts } from './email-facts.ts'

/** What an email says, before it becomes HTML and plain text. */
export interface Content {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** What the email is about: order number, date and the like. */
  facts: readonly Row[]
  lines: readonly ContentLine[]
  totals: readonly Total[]
  /** Below the totals. */
  notes: readonly string[]
  /** Where the recipient continues; undefined without a portal link. */
  action: { label: string; url: string; note: string } | undefined
  /** Why the recipient receives the email. */
  reason: string
}

export interface Row {
  label: string
  value: string
}

export interface ContentLine {
  name: string
  notes: readonly string[]
  /** Undefined for a gift: its recipient does not see the price. */
  amount: string | undefined
}

export interface Total extends Row {
  isSum: boolean
}

/** How an email of each kind is written. */
export function contentOf(facts: EmailFacts, language: Language): Content {
  switch (facts.email.kind) {
    case 'receipt':
    case 'subscription_renewed':
      return receipt(facts, language)
    case 'refund':
      return refund(facts, language)
    case 'gift_received':
      return gift(facts, language)
    case 'payment_failed':
      return failedPayment(facts, language)
    case 'subscription_ending':
      return ending(facts, language)
  }
}

function receipt(facts: EmailFacts, language: Language): Content {
  const { email, store, order, subscription, names } = facts
  const { texts } = language
  const isRenewal = email.kind === 'subscription_renewed'
  const renews = subscription?.status === SubscriptionStatus.ACTIVE && !subscription.cancelAtPeriodEnd
  const next =
    renews && subscription.currentPeriodEnd
      ? [
          texts.renewedNext(
            language.money(subscription.renewalAmount, subscription.currency),
            language.day(timestampDate(subscription.currentPeriodEnd), zoneOf(facts)),
          ),
        ]
      : []
  return {
    subject: isRenewal ? texts.renewedSubject(store.name) : texts.receiptSubject(store.name, String(order.number)),
    title: isRenewal ? texts.renewedTitle : texts.receiptTitle,
    paragraphs: [isRenewal ? texts.renewedText : texts.receiptText, ...next],
    facts: [...orderFacts(facts, language), ...billedTo(order, language)],
    lines: order.lines.map((line) => ({
      name: nameOf(line, language),
      notes: giftNotes(line, names, language),
      amount: language.money(line.unitPrice * BigInt(line.quantity), order.currency),
    })),
    totals: totalsOf(order, language),
    notes: order.tax?.reverseCharge ? [texts.reverseCharge] : [],
    action: action(facts, language, subscription ? texts.manageSubscription : texts.viewOrder),
    reason: texts.reason(store.name),
  }
}

function refund(facts: EmailFacts, language: Language): Content {
  const { email, store, order } = facts
  const { texts } = language
  const amount = language.money(BigInt(email.refundAmount ?? 0), order.currency)
  return {
    subject: texts.refundSubject(store.name, String(order.number)),
    title: texts.refundTitle,
    paragraphs: [texts.refundText(store.name, amount, String(order.number))],
    facts: orderFacts(facts, language),
    lines: [],
    totals: [{ label: texts.refunded, value: amount, isSum: true }],
    notes: [],
    action: action(facts, language, texts.viewOrder),
    reason: texts.reason(store.name),
  }
}

/** Says nothing of the order but the gift: the rest is between the store and the buyer. */
function gift({ email, store, order, names }: EmailFacts, language: Language): Content {
  const { texts } = language
  const from = names.get(order.customerId)
  const lines = order.lines.filter(({ giftToCustomerId }) => giftToCustomerId === email.customerId)
  return {
    subject: texts.giftSubject(store.name),
    title: texts.giftTitle,
    paragraphs: [from === undefined ? texts.giftTextUnknown(store.name) : texts.giftText(from, store.name)],
    facts: [],
    lines: lines.map((line) => ({ name: nameOf(line, language), notes: [], amount: undefined })),
    totals: [],
    notes: [texts.giftHint],
    action: undefined,
    reason: texts.giftReason(store.name),
  }
}

function failedPayment(facts: EmailFacts, language: Language): Content {
  const { store, order, subscription } = facts
  const { texts } = language
  const amount = language.money(subscription?.renewalAmount ?? order.totalAmount, order.currency)
  return {
    subject: texts.failedSubject(store.name),
    title: texts.failedTitle,
    paragraphs: [texts.failedText(amount)],
    ...aboutSubscription(facts, language, texts.updatePayment),
  }
}

function ending(facts: EmailFacts, language: Language): Content {
  const { store, subscription } = facts
  const { texts } = language
  const about = aboutSubscription(facts, language, texts.viewOrder)
  const end = subscription?.currentPeriodEnd
  if (end && subscription.status !== SubscriptionStatus.CANCELED) {
    const day = language.day(timestampDate(end), zoneOf(facts))
    const paragraphs = [texts.endingText]
    return { subject: texts.endingSubject(store.name, day), title: texts.endingTitle(day), paragraphs, ...about }
  }
  const isUnpaid = subscription?.cancellationReason === CancellationReason.PAYMENT_FAILED
  const paragraphs = [isUnpaid ? texts.endedUnpaidText : texts.endedText]
  return { subject: texts.endedSubject(store.name), title: texts.endedTitle, paragraphs, ...about }
}

/** The lines of the subscription without prices, which the paragraphs say. */
function aboutSubscription(facts: EmailFacts, language: Language, label: string) {
  const lines = facts.subscription?.lines ?? facts.order.lines.filter(({ subscription }) => subscription)
  return {
    facts: [],
    lines: lines.map((line) => ({
      name: nameOf(line, language),
      notes: giftNotes(line, facts.names, language),
      amount: undefined,
    })),
    totals: [],
    notes: [],
    action: action(facts, language, label),
    reason: language.texts.reason(facts.store.name),
  }
}

function orderFacts(facts: EmailFacts, language: Language): Row[] {
  const { order } = facts
  const { texts } = language
  const { invoiceNumber, createdAt } = order
  return [
    { label: texts.order, value: String(order.number) },
    ...(invoiceNumber === undefined ? [] : [{ label: texts.invoice, value: invoiceNumber }]),
    ...(createdAt ? [{ label: texts.date, value: language.day(timestampDate(createdAt), zoneOf(facts)) }] : []),
  ]
}

function billedTo({ billingDetails }: Order, { texts }: Language): Row[] {
  const parts = billingLines(billingDetails)
  return parts.length === 0 ? [] : [{ label: texts.billedTo, value: parts.join(', ') }]
}

function totalsOf(order: Order, language: Language): Total[] {
  const { texts } = language
  const { couponCode, tax } = order
  const row = (label: string, amount: bigint, isSum = false) => ({
    label,
    value: language.money(amount, order.currency),
    isSum,
  })
  const coupon = couponCode ? texts.couponWithCode(couponCode) : texts.coupon
  const taxName = `${tax?.name ?? texts.tax} ${language.percent(tax?.rate ?? 0)}`
  const hasTax = tax !== undefined && tax.taxAmount !== 0n
  return [
    ...(order.discountAmount === 0n && !(hasTax && !tax.inclusive) ? [] : [row(texts.subtotal, order.subtotalAmount)]),
    ...(order.couponDiscountAmount === 0n && !couponCode ? [] : [row(coupon, -order.couponDiscountAmount)]),
    ...(order.affiliateDiscountAmount === 0n ? [] : [row(texts.creatorDiscount, -order.affiliateDiscountAmount)]),
    ...(hasTax && !tax.inclusive ? [row(taxName, tax.taxAmount)] : []),
    row(texts.total, order.totalAmount, true),
    ...(hasTax && tax.inclusive ? [row(texts.taxIncluded(taxName), tax.taxAmount)] : []),
    ...(tax === undefined ? [] : [row(texts.net, tax.netAmount)]),
    ...(order.refundedAmount === 0n ? [] : [row(texts.refunded, -order.refundedAmount)]),
  ]
}

function nameOf({ name, quantity }: CheckoutLine, { locale }: Language): string {
  return quantity === 1 ? name : `${new Intl.NumberFormat(locale).format(quantity)} × ${name}`
}

function giftNotes({ giftToCustomerId: id }: CheckoutLine, names: ReadonlyMap<string, string>, { texts }: Language) {
  return id === undefined ? [] : [texts.giftFor(names.get(id) ?? id)]
}

function action(facts: EmailFacts, language: Language, label: string): Content['action'] {
  const { portalLink } = facts
  if (portalLink === undefined) return undefined
  const { url, endsAt } = portalLink
  return { label, url, note: language.texts.linkNote(language.day(endsAt, zoneOf(facts))) }
}

/** The time zone of the store, in which its days begin. */
function zoneOf({ store: { timeZone } }: EmailFacts): string {
  return timeZone === '' ? 'UTC' : timeZone
}
