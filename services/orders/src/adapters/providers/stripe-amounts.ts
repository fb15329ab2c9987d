import { currencyDigits } from '@storekeep/proto/conventions/currency'

/**
 * An amount in the unit in which Stripe counts the currency. Amounts that Stripe cannot express become fractions, which it rejects.
 * @param amount in minor units
 */
export function toStripeAmount(amount: bigint, currency: string): number {
  return Number(amount) * 10 ** extraDigits(currency)
}

/** @returns the amount in minor units */
export function fromStripeAmount(amount: number, currency: string): bigint {
  return BigInt(Math.round(amount / 10 ** extraDigits(currency)))
}

function extraDigits(currency: string): number {
  const code = currency.toLowerCase()
  const digits = currencyDigits(code)
  return (stripeDigits[code] ?? digits) - digits
}

/** Decimals of the currencies for which Stripe differs from ISO 4217 (https://docs.stripe.com/currencies). */
const stripeDigits: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 }
