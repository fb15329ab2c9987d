import { errors } from '@storekeep/common/errors'
import { checkoutLimits, customVariableLimits } from '@storekeep/proto/conventions/limits'

/**
 * Limits of a store. The list is not paged, so all variables must fit into one message of 8 MiB even when every text
 * has its maximum length in four-byte characters: a variable then takes under 7 kB and an option under 1.1 kB, which
 * makes less than 7.9 MB in total.
 */
export const maxVariables = customVariableLimits.perStore
/** Of all variables of a store together. */
export const maxStoreOptions = customVariableLimits.optionsPerStore

/** Of one dropdown. */
export const maxOptions = customVariableLimits.options

/** Lengths in characters. */
export const maxNameLength = customVariableLimits.nameLength
export const maxDescriptionLength = customVariableLimits.descriptionLength
export const maxPatternLength = customVariableLimits.patternLength
export const maxOptionLength = customVariableLimits.optionLength
export const maxAnswerLength = customVariableLimits.answerLength

/** Variables per line of a checkout, and lines; if all take their defaults, the response has 6 MB. */
export const maxVariablesPerLine = checkoutLimits.answersPerLine
export const maxLines = checkoutLimits.lines

/** Instructions of a compiled pattern. RE2 itself compiles at most about 87,000 with its default memory. */
export const maxProgramSize = 100_000
/** Instructions of all cached patterns of a thread together, about 250 bytes each. */
export const maxCachedInstructions = 100_000
/** CPU time to compile a pattern, and to match one answer. */
export const patternTimes = { compileMs: 500, matchMs: 250 }
/** Threads that compile and match. A store uses one at a time. */
export const patternThreads = 2
/** Heap of each thread. The chart's memory limit of 384 MiB leaves room for both. */
export const patternMemoryMb = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }
/** Time after which a call that matches several answers lets other stores take a turn. */
export const matchTurnMs = 100
/** Calls of one store that wait for a thread. */
export const maxWaitingPatternCalls = 100

/** Price of an option: minor units when fixed, permille when a percentage (from -100 % to +1000 %). */
export const priceRanges = {
  fixed: { min: -1_000_000_000_000, max: 1_000_000_000_000 },
  percentage: { min: -1000, max: 10_000 },
} as const

/** @throws ServiceFault `conflict` when a store exceeds its limits */
export function checkStoreSize({ variables, options }: { variables: number; options: number }): void {
  if (variables > maxVariables) throw errors.conflict(`A store can have at most ${maxVariables} custom variables.`)
  if (options > maxStoreOptions) {
    throw errors.conflict(`The dropdowns of a store can have at most ${maxStoreOptions} options in total.`)
  }
}
