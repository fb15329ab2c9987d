import { CustomVariableSchema } from '@storekeep/proto/custom_variables/v1/custom_variable'
import {
  CustomVariableCreatedSchema,
  CustomVariableDeletedSchema,
  CustomVariableUpdatedSchema,
} from '@storekeep/proto/custom_variables/v1/events'
import { defineRecordType } from './record-type.ts'

export const customVariableType = defineRecordType({
  type: 'custom_variable',
  owner: 'custom-variables',
  schema: CustomVariableSchema,
  changes: [CustomVariableCreatedSchema, CustomVariableUpdatedSchema],
  deletions: [CustomVariableDeletedSchema],
  eventField: 'customVariable',
  describe: ({ id, identifier, name }) => ({ texts: [identifier, name], ids: [id], hints: { name: [name] } }),
})
