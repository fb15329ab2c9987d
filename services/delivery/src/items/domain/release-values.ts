import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { customVariableLimits, deliveryLimits } from '@storekeep/proto/conventions/limits'

/** Values of the staff for the missing placeholders of a command, by the name of the placeholder. */
export type ReleaseValues = Readonly<Record<string, string>>

/**
 * Checks values apart from the command.
 * @throws ServiceFault `validation-failed` naming every invalid value
 */
export function checkReleaseValues(values: ReleaseValues): ReleaseValues {
  const entries = Object.entries(values)
  if (entries.length > deliveryLimits.placeholders) {
    throw errors.validationFailed([
      violation('values', 'max', `must have at most ${deliveryLimits.placeholders} entries`),
    ])
  }
  const violations = entries.flatMap(([name, value]) =>
    textViolations(pathOf(name), value, 1, customVariableLimits.answerLength),
  )
  if (violations.length > 0) throw errors.validationFailed(violations)
  return values
}

/**
 * The reasons for which a command cannot be released with these values.
 * @param missing the placeholders without a value before
 * @param unusable the placeholders without a value after the command was rendered with the values
 */
export function releaseViolations(
  values: ReleaseValues,
  missing: readonly string[],
  unusable: readonly string[],
): Violation[] {
  return [
    ...Object.keys(values)
      .filter((name) => !missing.includes(name))
      .map((name) => violation(pathOf(name), 'reference', 'must be a missing placeholder of the command')),
    ...unusable.map((name) =>
      Object.hasOwn(values, name)
        ? violation(pathOf(name), 'pattern', 'must be a value that a command can contain')
        : violation(pathOf(name), 'required', 'is required'),
    ),
  ]
}

function pathOf(name: string): string {
  return `values.${name}`
}
