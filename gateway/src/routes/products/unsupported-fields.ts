import { fails } from '@storekeep/records/schemas/fields'
import type { z } from 'zod'
import { isObject } from '../../schemas/cross-field.ts'

/**
 * Fields of the original interface that have no effect here yet (contract "Checkout sessions"). Null, false, 0 and empty
 * values are accepted; any other value is rejected, because a tax code that is silently dropped costs money.
 */
const unsupported =
  /^(?:deliverable_actions|upselling|tax_code|tier_group_id|is_gift_cards_disabled|trial|payout_splits)$/

/** Adds the check to a product schema; it reports every such field with the code `unsupported`. */
export function rejectUnsupported<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return schema.loose().superRefine(
    (product: Record<string, unknown>, context) => {
      for (const name of Object.keys(product)) {
        if (!unsupported.test(name) || isEmpty(product[name])) continue
        const { error: message, params } = isUnsupported('omit it, or send null, false, 0 or an empty value')
        context.addIssue({ code: 'custom', path: [name], message, params })
      }
    },
    { when: isObject },
  )
}

/** Options of a check that rejects a field, or a value of it, that has no effect here yet. */
export function isUnsupported(remedy: string) {
  const { error, params } = fails('enum', `is not supported; ${remedy}`)
  return { error, params: { ...params, code: 'unsupported' } }
}

export const unsupportedText =
  'Settings that have no effect in Storekeep, such as trials and tax codes, are rejected with the item code `unsupported` ' +
  'unless they are null, false, 0 or empty.'

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value
}
