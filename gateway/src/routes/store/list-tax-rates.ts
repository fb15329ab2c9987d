import { int32 } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'

const ratesSchema = z
  .object({
    as_of: z.string().meta({ example: '2026-05-19', description: 'Day of the data.' }),
    rates: z
      .array(
        z
          .object({
            country: z.string().describe('Country: ISO 3166-1 alpha-2.'),
            rate: int32(0).describe('Hundredths of a percent: 1900 is 19 %.'),
          })
          .meta({ id: 'TaxRateDto', description: 'Standard rate of a country.' }),
      )
      .describe('The rates, by country.'),
  })
  .meta({ id: 'TaxRatesDto', description: 'The standard VAT rates of the European Union.' })

export const listTaxRates = endpoint({
  operationId: 'listTaxRates',
  tag: 'Store',
  summary: 'List standard tax rates',
  description:
    'Returns the standard VAT rates of the European Union, which tax registrations without a `rate` have, and the day of this data. ' +
    'Announced changes apply from their day on.',
  method: 'get',
  path: '/v1/stores/{storeId}/tax-rates',
  auth: 'api-key',
  scope: 'store:read',
  success: {
    status: 200,
    description: 'The rates.',
    schema: ratesSchema,
    example: { as_of: '2026-05-19', rates: [{ country: 'AT', rate: 2000 }] },
  },
  async handle({ checkout }, { call }) {
    const { rates, asOf } = await checkout.listTaxRates({}, call)
    return { body: { as_of: asOf, rates: rates.map(({ country, rate }) => ({ country, rate })) } }
  },
})
