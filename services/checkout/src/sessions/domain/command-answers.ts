import { type Violation, violation } from '@storekeep/common/errors'
import { unknownVariables, variablesInCommands } from '../../products/domain/product-references.ts'
import type { OrderLine } from './order.ts'

/**
 * Why commands of the lines cannot use the answers (contract "Delivery", injection). A console has no quoting, so a text that no
 * pattern restricts may contain only letters, digits, `_`, `.` and `-`. The commands of an inline product may use only
 * its own variables; a product of the store may still use a variable that was deleted.
 */
export function commandAnswerViolations(lines: readonly OrderLine[]): Violation[] {
  return lines.flatMap(({ at, productId, terms, answers }) => {
    if (terms.commands.length === 0) return []
    const used = variablesInCommands(terms)
    const unsafe = answers.freeTexts
      .filter((identifier) => used.has(identifier) && !safeText.test(answers.values[identifier] ?? ''))
      .map((identifier) =>
        violation(
          `${at}.custom_variables.${identifier}`,
          'pattern',
          'must consist of letters, digits, underscores, periods and hyphens',
        ),
      )
    if (productId !== null) return unsafe
    return [...unsafe, ...unknownVariables(terms, new Set(Object.keys(answers.values)), `${at}.inline_product`)]
  })
}

const safeText = /^[\p{L}\p{M}\p{Nd}_.-]*$/u
