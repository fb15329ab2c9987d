import type { Stripe } from 'stripe'

/** Subscriptions, invoices and coupons of the fake, with the types of the official package. */
export function createFakeBilling(newId: (prefix: string) => string, now: () => Date): FakeBilling {
  const coupons = new Map<string, FakeCoupon>()
  const plans = new Map<string, Plan>()
  const invoices: FakeInvoice[] = []

  const billing: FakeBilling = {
    rejectsMethods: false,
    paidWith: (intent) => invoices.find((one) => paidBy(one) === intent)?.amount_paid,
    firstTotal: (form) => {
      const plan = planIn(form)
      return plan.price + plan.once - discountOf(plan, 0)
    },
    start(form, metadata, intent) {
      const plan = planIn(form)
      const subscription: FakeSubscription = {
        id: newId('sub'),
        object: 'subscription',
        status: 'active',
        cancel_at_period_end: false,
        cancellation_details: null,
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        customer: newId('cus'),
        default_payment_method: 'pm_first',
        metadata,
      }
      const started = { ...plan, subscription, anchor: now() }
      plans.set(subscription.id, started)
      return { subscription, invoice: invoice(started, 'subscription_create', intent) }
    },
    renew(subscriptionId, intent) {
      const plan = planOf(subscriptionId)
      plan.subscription.status = 'active'
      return invoice(plan, 'subscription_cycle', intent)
    },
    planOf,
    invoicesOf: (subscriptionId) =>
      invoices.filter(({ parent }) => parent.subscription_details.subscription === subscriptionId),
    respond(method, path, form) {
      const [, , first = '', id = ''] = path.split('/')
      if (first === 'coupons' && method === 'POST') return coupon(form)
      if (first === 'subscriptions') return respondToSubscription(method, id, form)
      if (first === 'invoices' && id !== '') return invoices.find((one) => one.id === id)
      if (first === 'invoices') {
        return list(billing.invoicesOf(form.get('subscription') ?? '').toReversed())
      }
      if (first === 'invoice_payments') {
        const found = invoices.filter((one) => paidBy(one) === form.get('payment[payment_intent]'))
        return list(found.map((one) => ({ object: 'invoice_payment', invoice: one })))
      }
      if (first === 'setup_intents') return { id, object: 'setup_intent', payment_method: `pm_of_${id}` }
      return undefined
    },
  }

  function respondToSubscription(method: string, id: string, form: URLSearchParams): object | undefined {
    const found = plans.get(id)?.subscription
    if (!found || method === 'GET') return found
    if (found.status === 'canceled' || (billing.rejectsMethods && form.has('default_payment_method'))) return undefined
    if (method === 'DELETE') found.status = 'canceled'
    if (form.get('cancel_at_period_end') === 'true') found.cancel_at_period_end = true
    found.default_payment_method = form.get('default_payment_method') ?? found.default_payment_method
    return found
  }

  function coupon(form: URLSearchParams): FakeCoupon {
    const created: FakeCoupon = {
      id: newId('coupon'),
      object: 'coupon',
      amount_off: Number(form.get('amount_off')),
      duration: form.get('duration') ?? '',
      duration_in_months: form.has('duration_in_months') ? Number(form.get('duration_in_months')) : null,
    }
    coupons.set(created.id, created)
    return created
  }

  function planIn(form: URLSearchParams): Omit<Plan, 'subscription' | 'anchor'> {
    const price = (index: number) => Number(form.get(`line_items[${index}][price_data][unit_amount]`) ?? 0)
    if (form.get('line_items[0][price_data][recurring][interval]') !== 'month') throw new Error('only months are faked')
    const months = Number(form.get('line_items[0][price_data][recurring][interval_count]'))
    return {
      price: price(0),
      once: price(1),
      months,
      periods: 0,
      coupon: coupons.get(form.get('discounts[0][coupon]') ?? ''),
    }
  }

  function planOf(subscriptionId: string): Plan {
    const plan = plans.get(subscriptionId)
    if (!plan) throw new Error(`Stripe has no subscription ${subscriptionId}`)
    return plan
  }

  /** Pays the next period. */
  function invoice(plan: Plan, billing_reason: string, intent: string): FakeInvoice {
    const { subscription, price, once, months, anchor, periods } = plan
    const isFirst = periods === 0
    const at = (count: number) => {
      const time = new Date(anchor)
      time.setUTCMonth(time.getUTCMonth() + count * months)
      return Math.floor(time.getTime() / 1000)
    }
    const created: FakeInvoice = {
      id: newId('in'),
      object: 'invoice',
      billing_reason,
      status: 'paid',
      amount_paid: price + (isFirst ? once : 0) - discountOf(plan, periods),
      currency: subscription.currency,
      period_start: at(Math.max(0, periods - 1)),
      period_end: at(periods),
      lines: list([{ period: { start: at(periods), end: at(periods + 1) } }]),
      payments: list([{ status: 'paid', payment: { type: 'payment_intent', payment_intent: intent } }]),
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
    }
    plan.periods += 1
    invoices.push(created)
    return created
  }
  return billing
}

function discountOf({ coupon, months }: Pick<Plan, 'coupon' | 'months'>, period: number): number {
  const isOver = coupon?.duration === 'once' ? period > 0 : period * months >= (coupon?.duration_in_months ?? 0)
  return coupon === undefined || isOver ? 0 : (coupon.amount_off ?? 0)
}

function paidBy({ payments }: FakeInvoice): string | undefined {
  return payments.data[0]?.payment.payment_intent
}

function list<T>(data: T[]): { object: 'list'; data: T[] } {
  return { object: 'list', data }
}

export interface FakeBilling {
  /** Whether a new payment method of a subscription is rejected. */
  rejectsMethods: boolean
  /** What a payment intent has paid. */
  paidWith(intent: string): number | undefined
  /** The total of a new Checkout Session in the mode `subscription`. */
  firstTotal(form: URLSearchParams): number
  /** The first period is paid. @param form of the Checkout Session */
  start(
    form: URLSearchParams,
    metadata: Record<string, string>,
    intent: string,
  ): { subscription: FakeSubscription; invoice: FakeInvoice }
  /** Another period is paid. */
  renew(subscriptionId: string, intent: string): FakeInvoice
  planOf(subscriptionId: string): Plan
  /** The paid invoices of a subscription, oldest first. */
  invoicesOf(subscriptionId: string): FakeInvoice[]
  /** Undefined: there is no such object, or it rejects the change. */
  respond(method: string, path: string, form: URLSearchParams): object | undefined
}

interface Plan {
  subscription: FakeSubscription
  /** Of a period, and what the first one costs in addition. */
  price: number
  once: number
  /** Length of a period. */
  months: number
  /** How many periods were paid. */
  periods: number
  anchor: Date
  coupon: FakeCoupon | undefined
}

type FakeCoupon = Pick<Stripe.Coupon, 'id' | 'object' | 'amount_off' | 'duration' | 'duration_in_months'>

type SubscriptionFields = 'id' | 'object' | 'status' | 'cancel_at_period_end' | 'currency' | 'cancellation_details'
export type FakeSubscription = Pick<Stripe.Subscription, SubscriptionFields> & {
  customer: string
  default_payment_method: string
  metadata: Record<string, string>
}

type InvoiceFields = 'id' | 'object' | 'billing_reason' | 'status' | 'amount_paid' | 'currency' | 'period_start'
export type FakeInvoice = Pick<Stripe.Invoice, InvoiceFields | 'period_end'> & {
  lines: { object: 'list'; data: { period: Stripe.InvoiceLineItem.Period }[] }
  payments: { object: 'list'; data: { status: string; payment: { type: string; payment_intent: string } }[] }
  parent: {
    type: 'subscription_details'
    subscription_details: { subscription: string; metadata: Record<string, string> }
  }
}
