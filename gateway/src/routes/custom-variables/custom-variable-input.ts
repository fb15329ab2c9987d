import { customVariableLimits, productLimits } from '@storekeep/proto/conventions/limits'
import { customVariableText } from '@storekeep/records/custom-variables/custom-variable-dto'
import {
  customVariableType,
  priceType,
  priceTypeValues,
  typeValues,
} from '@storekeep/records/custom-variables/custom-variable-types'
import { fails, flakeId, text } from '@storekeep/records/schemas/fields'
import { sameSchemaAs } from '@storekeep/records/schemas/same-schema-as'
import { z } from 'zod'

const { descriptionLength, nameLength, optionLength, options: maxOptions, patternLength } = customVariableLimits

const optionInput = z
  .object({
    id: flakeId.optional().describe('Id of an existing option to keep; omit it to add a new option.'),
    name: text(1, optionLength).describe(customVariableText.option_name),
    value: text(1, optionLength).describe(customVariableText.option_value),
    price: z
      .int({ abort: true })
      .min(-productLimits.price)
      .max(productLimits.price)
      .meta({ description: `${customVariableText.option_price} A percentage from -1000 to 10000.`, format: 'int64' }),
    price_type: priceType.describe(customVariableText.option_price_type),
    is_default: z.boolean().describe(customVariableText.option_is_default),
  })
  .meta({ id: 'CustomVariableOptionInput', description: 'One option of a dropdown.' })

const fields = {
  identifier: z
    .string()
    .refine(
      (value) => /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(value),
      fails('pattern', 'must be 1 to 64 letters a to z, digits, "_" or "-", and not __proto__'),
    )
    .meta({
      description: customVariableText.identifier,
      override: { pattern: '^(?!__proto__$)[A-Za-z0-9_-]{1,64}$' },
    }),
  name: text(1, nameLength).describe(customVariableText.name),
  description: text(0, descriptionLength).nullish().describe(customVariableText.description),
  type: customVariableType.describe(customVariableText.type),
  value_regex: text(0, patternLength).nullish().describe(customVariableText.value_regex),
  options: z
    .array(optionInput)
    .max(maxOptions)
    .optional()
    .describe(
      `Options of a dropdown, 1 to ${maxOptions}, in display order; not allowed for other types. An update replaces the ` +
        'whole list: options that are not in it are deleted.',
    ),
}

export const customVariablePatch = z
  .object({
    ...fields,
    identifier: fields.identifier.optional(),
    name: fields.name.optional(),
    type: fields.type.optional(),
  })
  .meta({
    id: 'UpsertCustomVariableRequestDto',
    description:
      'A new custom variable, or changes to one. A new one needs an identifier, a name and a type, and a dropdown its ' +
      'options.',
  })

export const newCustomVariable = z
  .object(fields)
  .meta({ override: sameSchemaAs('UpsertCustomVariableRequestDto', ['required']) })

export const newCustomVariableExample: z.input<typeof newCustomVariable> = {
  identifier: 'color',
  name: 'Color',
  description: 'Of the name tag.',
  type: 'dropdown',
  options: [
    { name: 'Green', value: 'green', price: 0, price_type: 'fixed', is_default: true },
    { name: 'Gold', value: 'gold', price: 125, price_type: 'percentage', is_default: false },
  ],
}

/** The body as the custom-variables service expects it, without null fields. */
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

/** The field mask of a PATCH: the fields in its body, including null ones. */
export function customVariableMask(body: z.output<typeof customVariablePatch>): string[] {
  return Object.keys(fields).filter((name) => body[name as keyof typeof fields] !== undefined)
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
