import { customVariableLimits } from '@storekeep/proto/conventions/limits'
import type { CustomVariable, CustomVariableOption } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { z } from 'zod'
import { nameOf } from '../schemas/enums.ts'
import { flakeId, int32, int64 } from '../schemas/fields.ts'
import { auditDto, auditExample, auditFields, idFields } from '../schemas/record.ts'
import { customVariableType, priceType, priceTypeValues, typeValues } from './custom-variable-types.ts'

/** Descriptions of the fields of a custom variable, the same in requests and responses. */
export const customVariableText = {
  identifier:
    'Key of the answer in a checkout line: 1 to 64 letters, digits, `_` and `-`; unique within the store regardless of case.',
  name: 'Name shown to buyers.',
  description: 'Help text shown to buyers. Default: an empty string.',
  type: 'Type of the answer.',
  value_regex:
    `Pattern in RE2 syntax that answers must match, at most ${customVariableLimits.patternLength} characters; null for ` +
    'none. An answer matches when any part of it does; anchor the pattern with `^` and `$` to match the whole answer. ' +
    'Not allowed for a dropdown.',
  option_name: 'Name shown to buyers.',
  option_value: 'Answer that chooses the option; unique among the options.',
  option_price: 'Added to the price of the product; negative for a reduction.',
  option_price_type: 'Unit of `price`.',
  option_is_default:
    'Whether the option is chosen when a buyer gives no answer. At most one option can be the default.',
} as const

const optionDtoSchema = z
  .object({
    ...idFields('option'),
    custom_variable_id: flakeId.describe('Id of the custom variable that the option belongs to.'),
    name: z.string().describe(customVariableText.option_name),
    value: z.string().describe(customVariableText.option_value),
    price: int64(Number.MIN_SAFE_INTEGER).describe(customVariableText.option_price),
    price_type: priceType.describe(customVariableText.option_price_type),
    is_default: z.boolean().describe(customVariableText.option_is_default),
    sort_order: int32(0).describe('Position of the option in the list, from 0.'),
  })
  .meta({ id: 'CustomVariableOptionDto', description: 'One option of a dropdown.' })

export const customVariableDtoSchema = z
  .object({
    ...idFields('custom variable'),
    identifier: z.string().describe(customVariableText.identifier),
    name: z.string().describe(customVariableText.name),
    description: z.string().describe(customVariableText.description),
    type: customVariableType.describe(customVariableText.type),
    value_regex: z.string().nullable().describe(customVariableText.value_regex),
    options: z.array(optionDtoSchema).describe('Options of a dropdown, in display order; empty for other types.'),
    ...auditFields,
  })
  .meta({ id: 'CustomVariableDto', description: 'A question that buyers answer when they buy a product.' })

export type CustomVariableDto = z.input<typeof customVariableDtoSchema>

export function customVariableDto(variable: CustomVariable | undefined): CustomVariableDto {
  if (!variable) throw new Error('A service returned no custom variable.')
  return {
    id: variable.id,
    store_id: variable.storeId,
    identifier: variable.identifier,
    name: variable.name,
    description: variable.description,
    type: nameOf(typeValues, variable.type),
    value_regex: variable.valueRegex ?? null,
    options: variable.options.map((option) => optionDto(option, variable)),
    ...auditDto(variable),
  }
}

function optionDto(
  { id, name, value, price, priceType, isDefault, sortOrder }: CustomVariableOption,
  variable: CustomVariable,
): CustomVariableDto['options'][number] {
  return {
    id,
    store_id: variable.storeId,
    custom_variable_id: variable.id,
    name,
    value,
    price: Number(price),
    price_type: nameOf(priceTypeValues, priceType),
    is_default: isDefault,
    sort_order: sortOrder,
  }
}

const exampleIds = { store_id: '411486491596816384', custom_variable_id: '411486491630370825' }

export const customVariableExample: CustomVariableDto = {
  id: exampleIds.custom_variable_id,
  store_id: exampleIds.store_id,
  identifier: 'color',
  name: 'Color',
  description: 'Of the name tag.',
  type: 'dropdown',
  value_regex: null,
  options: [
    {
      id: '411486491630370826',
      ...exampleIds,
      name: 'Green',
      value: 'green',
      price: 0,
      price_type: 'fixed',
      is_default: true,
      sort_order: 0,
    },
    {
      id: '411486491630370827',
      ...exampleIds,
      name: 'Gold',
      value: 'gold',
      price: 125,
      price_type: 'percentage',
      is_default: false,
      sort_order: 1,
    },
  ],
  ...auditExample,
}
