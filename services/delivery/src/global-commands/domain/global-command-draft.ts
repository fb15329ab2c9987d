import { errors, type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { deliveryLimits } from '@storekeep/proto/conventions/limits'
import { parseTemplate, unknownPlaceholders } from '@storekeep/proto/conventions/placeholders'
import { stages } from '../../domain/stage.ts'
import { executionRules, type GlobalCommandState } from './global-command.ts'

/** A global command as requested, not validated. */
export type GlobalCommandInput = Omit<GlobalCommandState, 'stage' | 'executionRule'> & {
  /** "invalid" if it is unknown or absent. */
  stage: GlobalCommandState['stage'] | 'invalid'
  executionRule: GlobalCommandState['executionRule'] | 'invalid'
}

/**
 * Validates the terms of a global command as a whole, new or changed.
 * @throws ServiceFault `validation-failed` naming every invalid field
 */
export function checkGlobalCommand(input: GlobalCommandInput): GlobalCommandState {
  const { stage, executionRule, gameServerIds } = input
  const violations = [
    ...(stage === 'invalid' ? [violation('stage', 'enum', `must be one of ${stages.join(', ')}`)] : []),
    ...contentViolations(input.content),
    ...serverViolations(gameServerIds),
    ...(executionRule === 'invalid'
      ? [violation('execution_rule', 'enum', `must be one of ${executionRules.join(', ')}`)]
      : []),
  ]
  if (stage === 'invalid' || executionRule === 'invalid' || violations.length > 0) {
    throw errors.validationFailed(violations)
  }
  return { ...input, stage, executionRule, gameServerIds: [...new Set(gameServerIds)] }
}

function contentViolations(content: string): Violation[] {
  const invalid = textViolations('content', content, 1, deliveryLimits.commandLength)
  if (invalid.length > 0) return invalid
  return unknownPlaceholders(parseTemplate(content)).map(({ name, hint }) => {
    const meant = hint === undefined ? '' : `; did you mean {${hint}}?`
    return violation('content', 'pattern', `contains {${name}}, which is not a placeholder${meant}`)
  })
}

function serverViolations(ids: readonly string[]): Violation[] {
  const path = globalServersPath
  if (ids.length > deliveryLimits.serversPerCommand) {
    return [violation(path, 'length', `must have at most ${deliveryLimits.serversPerCommand} items`)]
  }
  return ids.flatMap((id, index) => idViolations(`${path}.${index}`, id))
}

export const globalServersPath = 'override_execute_on_gameserver_ids'
