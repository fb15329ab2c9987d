import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceConfig } from '@storekeep/common/config'
import type { CallOptions } from '@storekeep/common/grpc'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import {
  type CustomVariable,
  CustomVariableType,
  PriceType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import {
  type CustomVariableInputSchema,
  CustomVariablesService,
  type OptionInputSchema,
} from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { file_storekeep_custom_variables_v1_events as events } from '@storekeep/proto/custom_variables/v1/events'
import { readConfig } from '../src/config.ts'
import { customVariables as service } from '../src/service.ts'

/** See `useService`. */
export function useCustomVariables(change?: (env: Env) => Promise<Env>): TestCustomVariables {
  return useService({ service, definition: CustomVariablesService, events, readConfig, settings: {}, change })
}

export type TestCustomVariables = TestService<ServiceConfig, typeof CustomVariablesService>

/** Options of a call with an API key of the store; of a store of its own when none is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof CustomVariableInputSchema>
export type OptionInit = MessageInitShape<typeof OptionInputSchema>

/** An option that adds nothing to the price. */
export function option(value: string, more: OptionInit = {}): OptionInit {
  return { name: value.toUpperCase(), value, price: 0n, priceType: PriceType.FIXED, ...more }
}

let counter = 0

/** An identifier that no other variable of the test run has. */
export function newIdentifier(): string {
  counter += 1
  return `variable-${counter}`
}

export function text(more: Input = {}): Input {
  return { identifier: newIdentifier(), name: 'Name', type: CustomVariableType.TEXT, ...more }
}

export function number(more: Input = {}): Input {
  return text({ type: CustomVariableType.NUMBER, ...more })
}

export function dropdown(options: OptionInit[], more: Input = {}): Input {
  return text({ type: CustomVariableType.DROPDOWN, options, ...more })
}

export async function createTestVariable(
  { client }: TestCustomVariables,
  options: CallOptions,
  customVariable: Input = text(),
): Promise<CustomVariable> {
  const created = await client.createCustomVariable({ customVariable }, options)
  if (!created.customVariable) throw new Error('CreateCustomVariable answered no variable')
  return created.customVariable
}
