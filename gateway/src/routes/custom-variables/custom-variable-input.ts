import { z } from 'zod'
import { fails, flakeId, text } from '../../schemas/fields.ts'
import { customVariableType, priceType, priceTypeValues, typeValues } from './custom-variable-types.ts'

const largestPrice = 1_000_000_000_000

const optionInput = z
  .object({
    id: flakeId.optional().meta({ description: 'Keeps that option of the variable; a new one without.' }),
    name: text(1, 128),
    value: text(1, 128).meta({ description: 'Unique among the options.' }),
    price: z
      .int({ abort: true })
      .min(-largestPrice)
      .max(largestPrice)
      .meta({ description: 'As a percentage from -1000 to 10000.', format: 'int64' }),
    price_type: priceType,
    is_default: z.boolean().meta({ description: 'True for at most one option.' }),
  })
  .meta({ id: 'CustomVariableOptionInput' })

const members = {
  identifier: z
    .string()
    .refine(
      (value) => /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(value),
      fails('pattern', 'must be 1 to 64 letters a to z, digits, "_" or "-", and not __proto__'),
    )
    .meta({
      description: 'Unique in the store in any case.',
      override: { pattern: '^(?!__proto__$)[A-Za-z0-9_-]{1,64}$' },
    }),
  name: text(1, 128),
  description: text(0, 1000).nullish().meta({ description: '"" unless given.' }),
  type: customVariableType,
  value_regex: text(0, 512)
    .nullish()
    .meta({
      description:
        'In RE2 syntax, and not too large a program. Each answer has to hold a match: with `^` and `$` at its ends it is ' +
        'for the whole answer. Not for a dropdown. Null: none.',
    }),
  options: z
    .array(optionInput)
    .max(100)
    .optional()
    .meta({ description: 'At least one for a dropdown, none otherwise. Their order is the order of the list.' }),
}

/** Body of a PATCH: what is absent stays, null clears. */
export const customVariablePatch = z
  .object({
    ...members,
    identifier: members.identifier.optional(),
    name: members.name.optional(),
    type: members.type.optional(),
  })
  .meta({
    id: 'UpsertCustomVariableRequestDto',
    description: 'A new variable needs an identifier, a name and a type, and a dropdown its options.',
  })

/** Body of a create: the same members, some of them required. */
export const newCustomVariable = z.object(members).meta({
  override: ({ jsonSchema }) => {
    const { required = [] } = jsonSchema
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword as keyof typeof jsonSchema]
    Object.assign(jsonSchema, { $ref: '#/components/schemas/UpsertCustomVariableRequestDto', required })
  },
})

export const newCustomVariableExample: z.input<typeof newCustomVariable> = {
  identifier: 'colour',
  name: 'Colour',
  description: 'Of the name tag.',
  type: 'dropdown',
  options: [
    { name: 'Green', value: 'green', price: 0, price_type: 'fixed', is_default: true },
    { name: 'Gold', value: 'gold', price: 125, price_type: 'percentage', is_default: false },
  ],
}

/** The members as the custom-variables service takes them; null is left out. */
export function customVariableInput(body: z.output<typeof customVariablePatch>) {
  const { identifier, name, description, type, value_regex, options = [] } = body
  return {
    options: options.map(optionMessage),
    ...(identifier !== undefined && { identifier }),
    ...(name !== undefined && { name }),
    ...(description != null && { description }),
    ...(type !== undefined && { type: typeValues[type] }),
    ...(value_regex != null && { valueRegex: value_regex }),
  }
}

/** The members that the body names, null ones too: what the PATCH changes. */
export function customVariableMask(body: z.output<typeof customVariablePatch>): string[] {
  return Object.keys(members).filter((name) => body[name as keyof typeof members] !== undefined)
}

function optionMessage({ id, name, value, price, price_type, is_default }: z.output<typeof optionInput>) {
  return {
    name,
    value,
    price: BigInt(price),
    priceType: priceTypeValues[price_type],
    isDefault: is_default,
    ...(id !== undefined && { id }),
  }
}
