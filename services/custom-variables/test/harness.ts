import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceConfig } from '@storekeep/common/config'
import type { CallOptions } from '@storekeep/common/grpc'
import type { Queryable } from '@storekeep/common/postgres'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import {
  type CustomVariable,
  type CustomVariableInputSchema,
  CustomVariableType,
  type OptionInputSchema,
  PriceType,
} from '@storekeep/proto/custom_variables/v1/custom_variable'
import { CustomVariablesService } from '@storekeep/proto/custom_variables/v1/custom_variables_service'
import { file_storekeep_custom_variables_v1_events as events } from '@storekeep/proto/custom_variables/v1/events'
import sql from 'sql-template-tag'
import { readConfig } from '../src/config.ts'
import { customVariables as service } from '../src/service.ts'

/** See `useService`. */
export function useCustomVariables(change?: (env: Env) => Promise<Env>): TestCustomVariables {
  return useService({ service, definition: CustomVariablesService, events, readConfig, settings: {}, change })
}

export type TestCustomVariables = TestService<ServiceConfig, typeof CustomVariablesService>

/** Call options with an API key of the store; by default of a new store. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof CustomVariableInputSchema>
export type OptionInit = MessageInitShape<typeof OptionInputSchema>

/** An option without a surcharge. */
export function option(value: string, more: OptionInit = {}): OptionInit {
  return { name: value.toUpperCase(), value, price: 0n, priceType: PriceType.FIXED, ...more }
}

let counter = 0

/** An identifier that is unique in the test run. */
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
  if (!created.customVariable) throw new Error('CreateCustomVariable returned no variable')
  return created.customVariable
}

/** Inserts variables into a store directly: texts, and dropdowns with options. */
export async function insertVariables(
  db: Queryable,
  storeId: string,
  { texts = 0, dropdowns = 0, optionsEach = 100 },
): Promise<void> {
  await db.query(sql`
    with inserted as (
      insert into custom_variable (store_id, identifier, name, description, type, created_by, created_at)
      select ${storeId}::bigint, 'filled-' || n, 'Name', '', case when n > ${texts} then 'dropdown' else 'text' end,
        'internal', now()
      from generate_series(1, ${texts + dropdowns}::int) n returning id, type
    )
    insert into custom_variable_option (
      store_id, custom_variable_id, name, value, price, price_type, is_default, sort_order
    )
    select ${storeId}::bigint, id, n::text, n::text, 0, 'fixed', false, n
    from inserted cross join generate_series(0, ${optionsEach - 1}::int) n where type = 'dropdown'`)
}
