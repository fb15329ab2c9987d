import { SetupError } from '../../bootstrap/setup-error.mjs'

/**
 * Splits the arguments of the test command into the suite and what is handed on to vitest: paths and options.
 * @throws SetupError when the suite is unknown
 */
export function readTestArguments(args: readonly string[]): { suite: Suite | undefined; filters: string[] } {
  const option = args.find((arg) => arg.startsWith(suiteOption))
  const suite = suites.find((name) => option === suiteOption + name)
  if (option !== undefined && suite === undefined) {
    throw new SetupError(`Unknown suite in ${option}. Known: ${suites.join(', ')}.`)
  }
  return { suite, filters: args.filter((arg) => arg !== option) }
}

const suiteOption = '--suite='
const suites = ['standard', 'faults', 'clients', 'all', 'ci'] as const

/** `ci` is `standard`, then `faults` at a small scale when there is time. */
export type Suite = (typeof suites)[number]
