import { type CheckoutLine, type Tax, TaxIdCheck } from '@storekeep/proto/checkout/v1/checkout_session'
import { z } from 'zod'
import { nameOf, namesOf } from '../schemas/enums.ts'
import { int32, int64 } from '../schemas/fields.ts'

const rateText = 'hundredths of a percent: 1900 is 19 %'

/** What a line says about its tax. */
export const lineTaxFields = {
  net_amount: int64(0)
    .nullable()
    .describe('What the customer pays for the line without tax, after both discounts; null if no tax is known.'),
  tax_amount: int64(0).nullable().describe('Tax of the line; null if no tax is known.'),
  gross_amount: int64(0)
    .nullable()
    .describe('Net plus tax. The gross amounts of all lines add up to the total. null if no tax is known.'),
  tax_rate: int32(0).nullable().describe(`Rate of the tax in ${rateText}; null if no tax is known.`),
  tax_name: z
    .string()
    .nullable()
    .describe('Name of the tax, such as `VAT`; null where the store is not registered, and if no tax is known.'),
}

export function lineTaxDto({ netAmount, taxAmount, taxRate, taxName }: CheckoutLine) {
  const isTaxed = netAmount !== undefined && taxAmount !== undefined
  return {
    net_amount: isTaxed ? Number(netAmount) : null,
    tax_amount: isTaxed ? Number(taxAmount) : null,
    gross_amount: isTaxed ? Number(netAmount + taxAmount) : null,
    tax_rate: isTaxed ? (taxRate ?? 0) : null,
    tax_name: taxName ?? null,
  }
}

const checkValues = {
  none: TaxIdCheck.UNSPECIFIED,
  invalid: TaxIdCheck.INVALID,
  well_formed: TaxIdCheck.WELL_FORMED,
  confirmed: TaxIdCheck.CONFIRMED,
  unconfirmed: TaxIdCheck.UNCONFIRMED,
} as const
type CheckName = keyof typeof checkValues

const evidenceSchema = z
  .object({
    billing_country: z.string().nullable().describe('Country that the customer has chosen. Takes precedence.'),
    ip_country: z.string().nullable().describe("Country of the customer's IP address."),
    tax_id_check: z
      .enum(namesOf(checkValues))
      .meta({
        id: 'TaxIdCheckDto',
        description:
          'What is known of the tax id. `invalid`: not a VAT id of the country. `well_formed`: no register was asked. ' +
          '`unconfirmed`: the register did not respond, so the tax is charged.',
      })
      .describe('What is known of the tax id of the customer.'),
  })
  .meta({ id: 'TaxEvidenceDto', description: 'Why the customer counts as being in a country.' })

/** What sessions and their orders say about taxes. All are null if no tax is known. */
export const taxFields = {
  net_amount: int64(0).nullable().describe('Total without tax.'),
  tax_amount: int64(0).nullable().describe('Tax in the total. null if the store charges no taxes, as all tax fields.'),
  tax_country: z.string().nullable().describe('Country whose tax applies: ISO 3166-1 alpha-2.'),
  tax_rate: int32(0).nullable().describe(`Rate of the tax in ${rateText}. All lines have the same rate.`),
  tax_name: z.string().nullable().describe('Name of the tax; null where the store is not registered.'),
  tax_included: z.boolean().nullable().describe('Whether the prices contain the tax; otherwise it was added to them.'),
  reverse_charge: z.boolean().nullable().describe('Whether the customer is a business that owes the tax itself.'),
  tax_evidence: evidenceSchema.nullable().describe('Why the customer counts as being in the country.'),
}

export function taxDto({ tax }: { tax?: Tax | undefined }) {
  if (!tax) return { ...noTax, tax_evidence: null }
  const { evidence } = tax
  return {
    net_amount: Number(tax.netAmount),
    tax_amount: Number(tax.taxAmount),
    tax_country: tax.country,
    tax_rate: tax.rate,
    tax_name: tax.name ?? null,
    tax_included: tax.inclusive,
    reverse_charge: tax.reverseCharge,
    tax_evidence: {
      billing_country: evidence?.billingCountry ?? null,
      ip_country: evidence?.ipCountry ?? null,
      // A check of a newer release counts as none.
      tax_id_check: nameOf<CheckName, TaxIdCheck, 'none'>(
        checkValues,
        evidence?.taxIdCheck ?? TaxIdCheck.UNSPECIFIED,
        'none',
      ),
    },
  }
}

const noTax = {
  net_amount: null,
  tax_amount: null,
  tax_country: null,
  tax_rate: null,
  tax_name: null,
  tax_included: null,
  reverse_charge: null,
}

export const taxExample: ReturnType<typeof taxDto> = {
  net_amount: 1662,
  tax_amount: 316,
  tax_country: 'DE',
  tax_rate: 1900,
  tax_name: 'VAT',
  tax_included: true,
  reverse_charge: false,
  tax_evidence: { billing_country: 'DE', ip_country: 'DE', tax_id_check: 'none' },
}
