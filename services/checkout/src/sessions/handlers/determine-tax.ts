import { requireStore } from '@storekeep/common/grpc'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { knownCountry } from '../domain/tax.ts'
import { taxToProto } from '../mappers.ts'
import { determineTax as determine } from '../steps/determine-tax.ts'

export function determineTax(ctx: AppContext): CheckoutHandlers['determineTax'] {
  return async ({ billingCountry, ipCountry, billingTaxId }, call) => {
    const terms = await determine(ctx, call, requireStore(call), {
      billingCountry: knownCountry(billingCountry),
      ipCountry: knownCountry(ipCountry),
      taxId: billingTaxId?.trim() || null,
      isConfirmed: false,
    })
    return terms === null ? {} : { tax: taxToProto({ ...terms, netAmount: 0n, taxAmount: 0n }) }
  }
}
