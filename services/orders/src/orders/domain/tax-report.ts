import { errors, type Violation, violation } from '@storekeep/common/errors'

/** The days of a report. */
export interface ReportPeriod {
  /** "2026-11-24", both inclusive. */
  from: string
  to: string
  /** IANA name. */
  timeZone: string
}

/** The orders of a period with the same currency, country, rate, name and reverse charge. */
export interface TaxReportRow {
  currency: string
  country: string
  /** Hundredths of a percent. */
  rate: number
  name: string | null
  reverseCharge: boolean
  orders: bigint
  netAmount: bigint
  taxAmount: bigint
  refundedNetAmount: bigint
  refundedTaxAmount: bigint
}

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function checkPeriod(period: ReportPeriod): ReportPeriod {
  const [from, to] = [dayOf(period.from), dayOf(period.to)]
  const found: Violation[] = []
  if (from === undefined) found.push(violation('from', 'format', 'must be a date such as 2026-11-24'))
  if (to === undefined) found.push(violation('to', 'format', 'must be a date such as 2026-11-24'))
  if (!isTimeZone(period.timeZone)) found.push(violation('time_zone', 'format', 'must be the IANA name of a time zone'))
  if (from !== undefined && to !== undefined) {
    if (to < from) found.push(violation('to', 'min', 'must not be before from'))
    if (to - from >= maxDays) found.push(violation('to', 'max', `must leave the period at ${maxDays} days`))
  }
  if (found.length > 0) throw errors.validationFailed(found)
  return period
}

/** @returns days since 1970; undefined for a text that is no date of the calendar */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  const isDate = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  return isDate ? time / 86_400_000 : undefined
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const maxDays = 366
