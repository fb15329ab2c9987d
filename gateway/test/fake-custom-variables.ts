import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Call, Handlers } from '@storekeep/common/grpc'
import {
  type CustomVariableSchema,
  CustomVariableType,
  PriceType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import type { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { newId } from './ids.ts'

/** The custom-variables service without its rules. */
export function customVariablesHandlers(): Handlers<typeof CustomVariablesService> {
  const one = async (id: string, call: Call) => ({ customVariable: variableMessage(id, call) })
  return {
    createCustomVariable: (_request, call) => one(newId(), call),
    getCustomVariable: ({ customVariableId }, call) => one(customVariableId, call),
    listCustomVariables: async (_request, call) => ({ customVariables: [variableMessage(newId(), call)] }),
    updateCustomVariable: ({ customVariableId }, call) => one(customVariableId, call),
    deleteCustomVariable: async () => ({}),
    resolveValues: () => Promise.reject(new Error('not called by the gateway')),
  }
}

function variableMessage(id: string, { storeId = '', actor }: Call): MessageInitShape<typeof CustomVariableSchema> {
  return {
    id,
    storeId,
    identifier: 'color',
    name: 'Color',
    type: CustomVariableType.DROPDOWN,
    options: [{ id: '7', name: 'Red', value: 'red', price: -5n, priceType: PriceType.PERCENTAGE, sortOrder: 0 }],
    createdBy: actor,
    createdAt: timestampFromDate(new Date('2026-11-20T14:35:17.042Z')),
    version: 1n,
  }
}
