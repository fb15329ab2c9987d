import type { TaxReportRow } from '@storekeep/proto/orders/v1/orders_service'
import { fails, int32, int64 } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

const rowSchema = z
  .object({
    currency: z.string().describe('Currency of the amounts: lower-case ISO 4217.'),
    country: z.string().describe('Country of the customers: ISO 3166-1 alpha-2.'),
    rate: int32(0).describe('Hundredths of a percent: 1900 is 19 %.'),
    name: z.string().nullable().describe('Name of the tax; null where the store was not registered.'),
    reverse_charge: z.boolean().describe('Whether the customers are businesses that owe the tax themselves.'),
    orders: int64(0).describe('Number of orders created in the period.'),
    net_amount: int64(0).describe('Their totals without tax.'),
    tax_amount: int64(0).describe('Their tax.'),
    gross_amount: int64(0).describe('Their totals.'),
    refunded_net_amount: int64(0).describe(
      'Refunds that succeeded in the period, also of earlier orders, without tax.',
    ),
    refunded_tax_amount: int64(0).describe('Tax of these refunds.'),
    refunded_gross_amount: int64(0).describe('Sum of these refunds.'),
  })
  .meta({ id: 'TaxReportRowDto', description: 'Sales and refunds with the same currency, country and tax.' })

const reportSchema = z
  .object({
    from: z.string().describe('First day.'),
    to: z.string().describe('Last day.'),
    time_zone: z.string().describe('Time zone of the days, from the settings of the store.'),
    rows: z.array(rowSchema).describe('By currency, country and rate.'),
  })
  .meta({ id: 'TaxReportDto', description: 'What a store has sold and refunded, by country and rate of the tax.' })

const day = (description: string) =>
  z
    .string()
    .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text), fails('format', 'must be a date such as 2026-11-24'))
    .meta({ description, override: { type: 'string', format: 'date' } })

export const getTaxReport = endpoint({
  operationId: 'getTaxReport',
  tag: 'Orders',
  summary: 'Get the tax report',
  description:
    'Sums the taxed orders and the refunds of a period by country and rate, in the time zone of the store. A period has at most 366 days. ' +
    'Chargebacks are not deducted, and orders without tax are not included.',
  method: 'get',
  path: '/v1/stores/{storeId}/tax-report',
  auth: 'api-key',
  scope: 'orders:read',
  query: z.object({ from: day('First day of the period.'), to: day('Last day of the period, inclusive.') }),
  queryExample: { from: '2026-10-01', to: '2026-12-31' },
  success: {
    status: 200,
    description: 'The report.',
    schema: reportSchema,
    example: {
      from: '2026-10-01',
      to: '2026-12-31',
      time_zone: 'Europe/Berlin',
      rows: [
        {
          ...{ currency: 'eur', country: 'DE', rate: 1900, name: 'VAT', reverse_charge: false, orders: 2 },
          ...{ net_amount: 2000, tax_amount: 380, gross_amount: 2380 },
          ...{ refunded_net_amount: 1000, refunded_tax_amount: 190, refunded_gross_amount: 1190 },
        },
      ],
    },
  },
  async handle({ orders, stores }, { query: { from, to }, call }) {
    const { store } = await stores.getStore({}, call)
    const timeZone = store?.timeZone || 'UTC'
    const { rows } = await orders.getTaxReport({ from, to, timeZone }, call)
    return { body: { from, to, time_zone: timeZone, rows: rows.map(rowDto) } }
  },
})

function rowDto(row: TaxReportRow): z.input<typeof rowSchema> {
  return {
    currency: row.currency,
    country: row.country,
    rate: row.rate,
    name: row.name ?? null,
    reverse_charge: row.reverseCharge,
    orders: Number(row.orders),
    net_amount: Number(row.netAmount),
    tax_amount: Number(row.taxAmount),
    gross_amount: Number(row.netAmount + row.taxAmount),
    refunded_net_amount: Number(row.refundedNetAmount),
    refunded_tax_amount: Number(row.refundedTaxAmount),
    refunded_gross_amount: Number(row.refundedNetAmount + row.refundedTaxAmount),
  }
}
