import { expect, it } from 'vitest'
import { invoiceNumber, invoiceYear } from './invoice-year.ts'

it.each([
  ['2026-12-31T22:59:59Z', 'Europe/Berlin', 2026],
  ['2026-12-31T23:00:00Z', 'Europe/Berlin', 2027],
  ['2027-01-01T04:59:59Z', 'America/New_York', 2026],
  ['2026-12-31T12:00:00Z', 'Pacific/Kiritimati', 2027],
  ['2026-12-31T23:59:59Z', 'UTC', 2026],
  ['2026-12-31T23:59:59Z', 'Nowhere/Land', 2026],
])('an invoice of %s in %s belongs to the year %s', (time, timeZone, year) => {
  expect(invoiceYear(new Date(time), timeZone)).toBe(year)
})

it.each([
  ['1', '2026-000001'],
  ['1234567', '2026-1234567'],
])('the number %s is printed as %s', (number, text) => {
  expect(invoiceNumber({ year: 2026, number })).toBe(text)
})
