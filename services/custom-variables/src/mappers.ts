import type { MessageInitShape } from '@bufbuild/protobuf'
import { actorFromText, enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import {
  type CustomVariableInput,
  type CustomVariableOptionSchema,
  type CustomVariableSchema,
  type OptionInput as ProtoOption,
  PriceType as ProtoPriceType,
  CustomVariableType as ProtoType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import type {
  LineAnswers as ProtoAnswers,
  ResolvedValueSchema,
} from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import type { CustomVariableRow } from './db/schema.ts'
import type { LineAnswers, ResolvedValue } from './domain/answers.ts'
import type { Option, PriceType, VariableType } from './domain/custom-variable.ts'
import type { OptionInput } from './domain/options.ts'
import type { VariableInput } from './domain/variable-fields.ts'

/** A missing input is treated as one without fields. */
export function variableInputFromProto(input: CustomVariableInput | undefined): VariableInput {
  if (!input) return { identifier: '', name: '', type: 'invalid', options: [] }
  const { identifier, name, description, type, valueRegex, options } = input
  return {
    identifier,
    name,
    description,
    type: enumFromProto(typeToProto, type),
    valueRegex,
    options: options.map(optionFromProto),
  }
}

export function answersFromProto(line: ProtoAnswers): LineAnswers {
  const { path, customVariableIdsPath, customVariableIds, values } = line
  return { path, idsPath: customVariableIdsPath, variableIds: customVariableIds, values }
}

export function variableToProto(row: CustomVariableRow): MessageInitShape<typeof CustomVariableSchema> {
  return present({
    id: row.id,
    storeId: row.storeId,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    type: typeToProto[row.type],
    valueRegex: row.valueRegex,
    options: row.options.map(optionToProto),
    createdBy: actorFromText(row.createdBy),
    createdAt: timestampFromDate(row.createdAt),
    updatedBy: row.updatedBy === null ? undefined : actorFromText(row.updatedBy),
    updatedAt: timestampOrAbsent(row.updatedAt),
    version: BigInt(row.version),
  })
}

export function resolvedToProto({
  variable,
  value,
  option,
}: ResolvedValue): MessageInitShape<typeof ResolvedValueSchema> {
  return present({
    customVariableId: variable.id,
    identifier: variable.identifier,
    name: variable.name,
    value,
    isFreeText: variable.type === 'text' && variable.valueRegex === null,
    option: option && optionToProto(option, variable.options.indexOf(option)),
  })
}

function optionFromProto({ id, name, value, price, priceType, isDefault }: ProtoOption): OptionInput {
  const type = enumFromProto(priceTypeToProto, priceType)
  return { id, name, value, price, priceType: type, isDefault }
}

function optionToProto(option: Option, sortOrder: number): MessageInitShape<typeof CustomVariableOptionSchema> {
  const { id, name, value, price, priceType, isDefault } = option
  return { id, name, value, price: BigInt(price), priceType: priceTypeToProto[priceType], isDefault, sortOrder }
}

const typeToProto = {
  dropdown: ProtoType.DROPDOWN,
  text: ProtoType.TEXT,
  number: ProtoType.NUMBER,
} as const satisfies Record<VariableType, ProtoType>

const priceTypeToProto = {
  fixed: ProtoPriceType.FIXED,
  percentage: ProtoPriceType.PERCENTAGE,
} as const satisfies Record<PriceType, ProtoPriceType>
