import { checkoutLimits, customVariableLimits } from '@storekeep/proto/conventions/limits'
import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

const { answersPerLine } = checkoutLimits
const { answerLength } = customVariableLimits

/** A buyer's answers by the identifiers of the custom variables. A number is accepted and converted to its text. */
export const buyerAnswers = z
  .unknown()
  // Counted first, so that an oversized map is not validated key by key.
  .refine((answers) => countKeys(answers) <= answersPerLine, {
    abort: true,
    ...fails('max', `must have at most ${answersPerLine} keys`),
  })
  .pipe(
    z.record(
      z.string(),
      z
        .union([z.string(), z.number(), z.bigint()])
        .transform(String)
        .refine(
          (answer) => answer.length <= answerLength,
          fails('length', `must have at most ${answerLength} characters`),
        ),
    ),
  )
  .meta({
    example: { color: 'red' },
    override: {
      type: 'object',
      additionalProperties: {
        type: 'string',
        maxLength: answerLength,
        description: 'Answer of the buyer; for a dropdown the `value` of an option. A JSON number is accepted too.',
      },
      maxProperties: answersPerLine,
    },
  })

function countKeys(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}
