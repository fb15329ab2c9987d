import { z } from 'zod'
import { fails } from '../../schemas/fields.ts'

/** A buyer's answers by the identifiers of the custom variables. A number is the text that it is written as. */
export const buyerAnswers = z
  .record(
    z.string(),
    z
      .union([z.string(), z.number(), z.bigint()])
      .transform(String)
      .refine((answer) => answer.length <= 1024, fails('length', 'must have at most 1024 characters')),
  )
  .refine((answers) => Object.keys(answers).length <= 50, fails('max', 'must have at most 50 keys'))
  .meta({
    description: 'Identifier of a custom variable to the answer: of a dropdown the value of an option.',
    example: { color: 'red' },
    override: ({ jsonSchema }) => {
      jsonSchema.additionalProperties = { type: ['string', 'number'], maxLength: 1024 }
      jsonSchema.maxProperties = 50
    },
  })
