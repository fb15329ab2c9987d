import { isDeepStrictEqual } from 'node:util'
import { fieldsOf, maskedFields, pick } from '@storekeep/common/values'
import { type GlobalCommandState, globalCommandFields } from './global-command.ts'
import { checkGlobalCommand, type GlobalCommandInput } from './global-command-draft.ts'

/** The fields that a PATCH changes, not validated. */
export type GlobalCommandChange = Partial<GlobalCommandInput>

/**
 * The fields of the input that the mask names.
 * @throws ServiceFault `bad-request` for an unknown field
 */
export function pickChange(input: GlobalCommandInput, mask: readonly string[]): GlobalCommandChange {
  return pick(input, maskedFields(globalCommandFields, mask))
}

/**
 * The command after the change; undefined if nothing changes.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function applyChange(command: GlobalCommandState, change: GlobalCommandChange): GlobalCommandState | undefined {
  const before = pick(command, fieldsOf(globalCommandFields))
  const after = checkGlobalCommand({ ...before, ...change })
  return isDeepStrictEqual(after, before) ? undefined : after
}
