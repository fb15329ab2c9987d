import { isDeepStrictEqual } from 'node:util'
import { errors, violation } from '@storekeep/common/errors'
import { requireStore } from '@storekeep/common/grpc'
import { textViolations } from '@storekeep/common/values'
import { write } from '@storekeep/common/write'
import { checkoutLimits } from '@storekeep/proto/conventions/limits'
import type { AppContext, CheckoutHandlers } from '../../context.ts'
import { updateTax } from '../db/session-writer.ts'
import { assertChangeable } from '../domain/checkout-session.ts'
import { withTaxDetails } from '../domain/customer-details.ts'
import { applyTax, ipCountryOf, knownCountry, taxedBuyer } from '../domain/tax.ts'
import { publishSession } from '../events/publish.ts'
import { sessionToProto } from '../mappers.ts'
import { determineTax } from '../steps/determine-tax.ts'
import { lockOpenSession } from '../steps/end-session.ts'
import { requireSessionOfToken } from '../steps/find-session.ts'

export function updateTaxDetails(ctx: AppContext): CheckoutHandlers['updateTaxDetails'] {
  return async (request, call) => {
    const storeId = requireStore(call)
    const country = knownCountry(request.billingCountry)
    const taxId = request.billingTaxId?.trim() || null
    const violations = taxId === null ? [] : textViolations('billing_tax_id', taxId, 0, checkoutLimits.billingLength)
    if (country === null) violations.push(violation('billing_country', 'enum', 'is not a country of ISO 3166-1'))
    if (violations.length > 0) throw errors.validationFailed(violations)
    const found = await requireSessionOfToken(ctx, request.token, storeId)
    const given = { country, taxId }
    const buyer = taxedBuyer(
      withTaxDetails(found.customerDetails, given),
      ipCountryOf(request.customerCountry, found),
      found,
    )
    const terms = await determineTax(ctx, call, storeId, buyer)
    return write(ctx, call, request, async (tx) => {
      const now = ctx.clock.now()
      const row = await lockOpenSession(tx, storeId, found.id, now)
      assertChangeable(row, now)
      const changed = { ...applyTax(row, terms), customerDetails: withTaxDetails(row.customerDetails, given) }
      if (isDeepStrictEqual(changed, row)) return { session: sessionToProto(row, now) }
      const updated = await updateTax(tx, changed)
      await publishSession(tx, 'updated', updated, now, call)
      return { session: sessionToProto(updated, now) }
    })
  }
}
