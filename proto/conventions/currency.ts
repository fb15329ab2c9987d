/**
 * The number of digits that the minor unit of a currency takes (ISO 4217). Amounts of Storekeep are in minor units.
 *
 * Not from `Intl`, which has the digits that prices usually display. For HUF, IDR and more than ten others that is 0,
 * although the minor unit is a hundredth.
 *
 * @param currency ISO 4217, in upper or lower case
 */
export function currencyDigits(currency: string): number {
  return exceptions[currency.toLowerCase()] ?? 2
}

/**
 * An amount in minor units as a decimal number, exactly, for `Intl.NumberFormat`: "-12.50".
 *
 * @param currency ISO 4217, in upper or lower case
 */
export function decimalAmount(amount: bigint, currency: string): Intl.StringNumericLiteral {
  const digits = currencyDigits(currency)
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0')
  const major = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  return `${amount < 0n ? '-' : ''}${major}` as Intl.StringNumericLiteral
}

const exceptions: Readonly<Record<string, number>> = Object.fromEntries([
  ...'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' ').map((code) => [code, 0]),
  ...'bhd iqd jod kwd lyd omr tnd'.split(' ').map((code) => [code, 3]),
  ...'clf uyw'.split(' ').map((code) => [code, 4]),
])
