/**
 * The year of an invoice, by which its number starts.
 * @param timeZone IANA name; an unknown one counts as UTC, since an order must never fail because of it
 */
export function invoiceYear(time: Date, timeZone: string): number {
  return Number(yearIn(time, timeZone) ?? time.getUTCFullYear())
}

function yearIn(time: Date, timeZone: string): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', year: 'numeric' }).formatToParts(time)
    return parts.find(({ type }) => type === 'year')?.value
  } catch {
    return undefined
  }
}

/** "2026-000001" */
export function invoiceNumber({ year, number }: { year: number; number: string }): string {
  return `${year}-${number.padStart(6, '0')}`
}
