import { errors } from '@storekeep/common/errors'

/**
 * What a store may have. A list is not paged, so all of it has to fit into one message of 8 MiB, also when every text is
 * as long as it may be and every character takes four bytes: a variable takes less than 7 kB then, an option less than
 * 1.1 kB. 500 of the one and 4,000 of the other are less than 7.9 MB.
 */
export const maxVariables = 500
/** Of all variables together. */
export const maxStoreOptions = 4000

/** Of one dropdown. */
export const maxOptions = 100

/** In characters. */
export const maxNameLength = 128
export const maxDescriptionLength = 1000
export const maxPatternLength = 512
export const maxOptionLength = 128
export const maxResponseLength = 1024

/** Variables that one line of a checkout asks for, and its lines; a default for each is an answer of 6 MB. */
export const maxVariablesPerLine = 50
export const maxLines = 100

/**
 * Of a compiled pattern, in instructions. A match takes no more steps than there are instructions times characters of
 * the answer; a thousand steps take less than a tenth of a millisecond.
 */
export const maxProgramSize = 520
/** Of one match, so that nobody waits long for it. Answers to a large pattern have to be shorter therefore. */
export const maxMatchSteps = 200_000
/** Of all matches of one call; to compile a pattern counts as so many for each of its characters. */
export const maxCallSteps = 3_000_000
export const compileSteps = 200

/** Of an option's price: minor units when fixed, otherwise permille, from the whole price off to ten times as much on. */
export const priceRanges = {
  fixed: { min: -1_000_000_000_000, max: 1_000_000_000_000 },
  percentage: { min: -1000, max: 10_000 },
} as const

/** @throws ServiceFault `conflict` when a store has more than it may */
export function checkStoreSize({ variables, options }: { variables: number; options: number }): void {
  if (variables > maxVariables) throw errors.conflict(`A store has at most ${maxVariables} custom variables.`)
  if (options > maxStoreOptions) {
    throw errors.conflict(`The dropdowns of a store have at most ${maxStoreOptions} options together.`)
  }
}
