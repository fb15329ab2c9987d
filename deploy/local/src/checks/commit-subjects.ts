import { SetupError } from '../../bootstrap/setup-error.mjs'
import { git } from '../git.ts'

/**
 * Checks the subjects of commits: Conventional Commits, at most 72 characters, and imperative ("add", not "adds" or "the new").
 *
 * @throws SetupError whose log lines name each commit
 */
export function checkCommitSubjects(): undefined {
  const log = git('log', '--no-merges', `--since=${ruleSince}`, '--format=%h %s') ?? ''
  const problems = log.split('\n').flatMap((line) => {
    const [, commit = '', subject = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    const problem = subject === '' ? undefined : findProblem(subject)
    return problem === undefined ? [] : [`${commit} ${subject}: ${problem}`]
  })
  if (problems.length > 0) throw new SetupError('Some commit subjects break the rules of CONTRIBUTING.md.', problems)
}

/** @returns what is wrong with the subject; undefined if nothing is */
export function findProblem(subject: string): string | undefined {
  if (subject.length > maxLength) return `has ${subject.length} characters, at most ${maxLength} are allowed`
  const [, verb] =
    /^(?:build|ci|docs|feat|fix|perf|refactor|revert|test)(?:\([a-z\d,-]+\))?!?: (\S+)/.exec(subject) ?? []
  if (verb === undefined) return 'is not of the form "fix(customers): …"'
  return notImperative.test(verb) ? `begins with "${verb}", not with an imperative` : undefined
}

const maxLength = 72
/** Articles and the like, past tense, third person and plural nouns. */
const notImperative =
  /^(?:[A-Z].*|an?|all|each|every|how|its?|no|one|only|some|the|two|what|when|which|\w+ed|\w+ing|\w*[^s]s)$/
/** Earlier commits follow no rule. */
const ruleSince = '2026-11-24T16:00:00Z'
