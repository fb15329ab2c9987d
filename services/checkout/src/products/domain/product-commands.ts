import { type Violation, violation } from '@storekeep/common/errors'
import { idViolations } from '@storekeep/common/flake'
import { textViolations } from '@storekeep/common/values'
import { productLimits } from '@storekeep/proto/conventions/limits'
import { parseTemplate, unknownPlaceholders } from '@storekeep/proto/conventions/placeholders'
import { type CommandStage, commandStages, type ProductCommand } from './product.ts'

/** A command as requested, not validated. */
export interface CommandInput extends Omit<ProductCommand, 'stage'> {
  /** "invalid" if it is unknown or absent. */
  stage: CommandStage | 'invalid'
}

/** The violations in the commands of a product. @param at path of the list: "commands" */
export function commandsViolations(commands: readonly CommandInput[], at: string): Violation[] {
  if (commands.length > productLimits.commands) {
    return [violation(at, 'length', `must have at most ${productLimits.commands} items`)]
  }
  return commands.flatMap((command, index) => commandViolations(command, `${at}.${index}`))
}

/** The commands as they are stored. Only for an input without violations. */
export function toCommands(commands: readonly CommandInput[]): ProductCommand[] {
  return commands.flatMap(({ stage, ...rest }) => {
    if (stage === 'invalid') return []
    return [{ stage, ...rest, overrideGameServerIds: [...new Set(rest.overrideGameServerIds)] }]
  })
}

function commandViolations(command: CommandInput, at: string): Violation[] {
  const { stage, content, overrideGameServerIds, delaySeconds, requiredSlots } = command
  return [
    stage === 'invalid' ? violation(`${at}.stage`, 'enum', `must be one of ${commandStages.join(', ')}`) : undefined,
    ...contentViolations(content, `${at}.content`),
    ...serverIdsViolations(overrideGameServerIds, `${at}.override_execute_on_gameserver_ids`),
    rangeViolation(delaySeconds, productLimits.commandDelaySeconds, `${at}.delay_seconds`),
    rangeViolation(requiredSlots, productLimits.commandSlots, `${at}.required_slots`),
  ].filter((one) => one !== undefined)
}

function contentViolations(content: string, at: string): Violation[] {
  const found = textViolations(at, content, 1, productLimits.commandLength)
  if (found.length > 0) return found
  return unknownPlaceholders(parseTemplate(content)).map(({ name, hint }) => {
    const meant = hint === undefined ? '' : `; did you mean {${hint}}?`
    return violation(at, 'pattern', `has the unknown placeholder {${name}}${meant}`)
  })
}

function serverIdsViolations(ids: readonly string[], at: string): Violation[] {
  if (ids.length > productLimits.gameServers) {
    return [violation(at, 'length', `must have at most ${productLimits.gameServers} items`)]
  }
  return ids.flatMap((id, index) => idViolations(`${at}.${index}`, id))
}

function rangeViolation(value: number, max: number, at: string): Violation | undefined {
  if (value < 0) return violation(at, 'min', 'must be at least 0')
  return value > max ? violation(at, 'max', `must be at most ${max}`) : undefined
}
