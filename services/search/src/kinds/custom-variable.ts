import { CustomVariableSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import {
  CustomVariableCreatedSchema,
  CustomVariableDeletedSchema,
  CustomVariableUpdatedSchema,
} from '@storekeep/proto/custom_variables/v1/events'
import { defineKind } from './kind.ts'

export const customVariableKind = defineKind({
  type: 'custom_variable',
  owner: 'custom-variables',
  schema: CustomVariableSchema,
  changes: [CustomVariableCreatedSchema, CustomVariableUpdatedSchema],
  deletions: [CustomVariableDeletedSchema],
  inEvent: 'customVariable',
  describe: ({ id, identifier, name }) => ({ texts: [identifier, name], ids: [id], hints: { name: [name] } }),
})
