import { type Cause, defineAggregate } from '@storekeep/common/events'
import type { Call } from '@storekeep/common/grpc'
import type { Transaction } from '@storekeep/common/postgres'
import {
  CustomVariableCreatedSchema,
  CustomVariableDeletedSchema,
  CustomVariableUpdatedSchema,
} from '@storekeep/proto/custom_variables/v1/events'
import type { CustomVariableRow } from '../db/schema.ts'
import { variableToProto } from '../mappers.ts'

const variable = defineAggregate('custom-variables', 'custom_variable')

export async function publishCustomVariableCreated(
  tx: Transaction,
  row: CustomVariableRow,
  cause: Cause,
): Promise<void> {
  const message = { customVariable: variableToProto(row) }
  await variable.publish(tx, row, cause, { verb: 'created', schema: CustomVariableCreatedSchema, message })
}

export async function publishCustomVariableUpdated(
  tx: Transaction,
  row: CustomVariableRow,
  cause: Cause,
): Promise<void> {
  const message = { customVariable: variableToProto(row) }
  await variable.publish(tx, row, cause, { verb: 'updated', schema: CustomVariableUpdatedSchema, message })
}

export async function publishCustomVariableDeleted(
  tx: Transaction,
  before: CustomVariableRow,
  call: Call,
): Promise<void> {
  const messageOf = (row: typeof before) => ({ customVariable: variableToProto(row), deletedBy: call.actor })
  await variable.publishDeleted(tx, before, call, { schema: CustomVariableDeletedSchema, messageOf })
}
