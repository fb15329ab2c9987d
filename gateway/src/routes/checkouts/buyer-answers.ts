import { checkoutLimits, customVariableLimits } from '@storekeep/proto/conventions/limits'
import { z } from 'zod'
import { fails } from '../../schemas/fields.ts'

const { answersPerLine } = checkoutLimits
const { answerLength } = customVariableLimits

/** A buyer's answers by the identifiers of the custom variables. A number is accepted and converted to its text. */
export const buyerAnswers = z
  .record(
    z.string(),
    z
      .union([z.string(), z.number(), z.bigint()])
      .transform(String)
      .refine(
        (answer) => answer.length <= answerLength,
        fails('length', `must have at most ${answerLength} characters`),
      ),
  )
  .refine(
    (answers) => Object.keys(answers).length <= answersPerLine,
    fails('max', `must have at most ${answersPerLine} keys`),
  )
  .meta({
    example: { color: 'red' },
    override: ({ jsonSchema }) => {
      jsonSchema.additionalProperties = {
        type: ['string', 'number'],
        maxLength: answerLength,
        description: 'Answer of the buyer; for a dropdown the `value` of an option.',
      }
      jsonSchema.maxProperties = answersPerLine
    },
  })
