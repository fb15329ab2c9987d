import type { CustomVariable, CustomVariableOption } from '@storekeep/proto/custom_variables/v1/custom_variable'
import { z } from 'zod'
import { actorDto, actorDtoSchema, actorExample } from '../../schemas/actor.ts'
import { nameOf } from '../../schemas/enums.ts'
import { flakeId } from '../../schemas/fields.ts'
import { dateTime, printTime } from '../../schemas/times.ts'
import { customVariableType, priceType, priceTypeValues, typeValues } from './custom-variable-types.ts'

const optionDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    custom_variable_id: flakeId,
    name: z.string(),
    value: z.string().meta({ description: 'What a buyer answers to choose it.' }),
    price: z.int().meta({ description: 'Added to the price of the product; below 0: taken off.', format: 'int64' }),
    price_type: priceType,
    is_default: z.boolean().meta({ description: 'Chosen when a buyer does not answer; true for at most one.' }),
    sort_order: z.int32().meta({ description: 'Position in the list, from 0.' }),
  })
  .meta({ id: 'CustomVariableOptionDto' })

export const customVariableDtoSchema = z
  .object({
    id: flakeId,
    store_id: flakeId,
    identifier: z.string(),
    name: z.string(),
    description: z.string(),
    type: customVariableType,
    value_regex: z.string().nullable().meta({ description: 'In RE2 syntax; null for none, as every dropdown has.' }),
    options: z.array(optionDtoSchema).meta({ description: 'Empty unless it is a dropdown.' }),
    created_by: actorDtoSchema,
    created_at: dateTime,
    updated_by: actorDtoSchema.nullable(),
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'CustomVariableDto' })

export type CustomVariableDto = z.input<typeof customVariableDtoSchema>

/** A custom variable as the public interface prints it; what has no value is null. */
export function customVariableDto(variable: CustomVariable | undefined): CustomVariableDto {
  if (!variable?.createdAt) throw new Error('A service answered without the custom variable.')
  return {
    id: variable.id,
    store_id: variable.storeId,
    identifier: variable.identifier,
    name: variable.name,
    description: variable.description,
    type: nameOf(typeValues, variable.type),
    value_regex: variable.valueRegex ?? null,
    options: variable.options.map((option) => optionDto(option, variable)),
    created_by: actorDto(variable.createdBy),
    created_at: printTime(variable.createdAt),
    updated_by: variable.updatedBy ? actorDto(variable.updatedBy) : null,
    updated_at: printTime(variable.updatedAt),
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
  identifier: 'colour',
  name: 'Colour',
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
  created_by: actorExample,
  created_at: '2026-11-20T14:35:17.000Z',
  updated_by: null,
  updated_at: null,
}
