import { productLimits } from '@storekeep/proto/conventions/limits'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** The slug of a product or a tag. */
export const slug = z
  .string()
  .refine((one) => one.length <= productLimits.slugLength, {
    abort: true,
    ...fails('length', `must have at most ${productLimits.slugLength} characters`),
  })
  .refine((one) => pattern.test(one), fails('pattern', 'must be letters and digits, separated by single hyphens'))
  .meta({ override: { pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', maxLength: productLimits.slugLength } })
const pattern = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/
