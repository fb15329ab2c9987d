import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { git } from '../git.ts'
import { paths } from '../paths.ts'

/**
 * Checks that texts use American spelling and one word for one thing, and avoid phrases that hide what a sentence is about.
 *
 * @throws SetupError whose log lines name each place and what to write instead
 */
export function checkWording(files = trackedTexts()): undefined {
  const problems = files.flatMap((file) => findProblems(file, readFileSync(join(paths.root, file), 'utf8')))
  if (problems.length > 0) throw new SetupError('Some texts use words that the word list replaces.', problems)
}

/** @returns a line for each place, such as `docs/README.md:3: "look-up": write "lookup"` */
export function findProblems(file: string, text: string): string[] {
  // Separates the words of identifiers, whether snake case or camel case.
  const words = text.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, '|')
  return words.split('\n').flatMap((line, index) =>
    wordList.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [`${file}:${index + 1}: "${found}": write ${instead}`]
    }),
  )
}

const wordList: readonly [RegExp, string][] = [
  [/\b(?:behaviour|colour|favour|honour|neighbour)\w*/i, 'the American spelling (-or)'],
  [/\b(?:licence|defence|offence)\w*/i, 'the American spelling (-ense)'],
  // gRPC spells its status, property and event with two.
  [/(?<!\.|')\b(?:cancell|labell|modell|travell)(?:ed|ing)\b/i, 'the American spelling (one l)'],
  [
    /\b\w+(?:alis|imis|ognis|uthoris|anis|ummaris)(?:e[ds]?|ing|ation)\b(?<!\b(?:promis|compromis|premis|pris)\w*)/i,
    'the American spelling (-ize)',
  ],
  [/\bcatalogue/i, '"catalog"'],
  [/\blook-ups?\b/i, '"lookup"'],
  [/\btime-outs?\b/i, '"timeout"'],
  [
    /\brefus(?:e[ds]?|ing|al\w*)\b(?![ |]connection)(?<!connections?[ |](?:is |are |was |were )?refused)/i,
    '"reject", or "connection refused"',
  ],
  [/\b(?:that|those|one|ones) of\b(?<!(?:\w|any|each|every|than|only|exactly|least|with|all but) one of)/i, 'the noun'],
  [/\b(?:one|those|ones) (?:that|which|who|with)\b/i, 'the noun'],
  [/(?<!')\b(?:nobody|somebody|whoever)\b/i, 'the actor'],
  [/\banew\b/i, '"again"'],
  [/\bat once\b/i, '"immediately" or "concurrently"'],
  [/\bof (?:its|their|our) own\b/i, '"separate" or "its"'],
  [/\bshall\b/i, '"must"'],
  [/\be-mail/i, '"email"'],
]

const extensions = new Set(['.ts', '.mjs', '.js', '.md', '.proto', '.yaml', '.yml', '.tpl', '.sql', '.html', '.css'])

function trackedTexts(): string[] {
  const files = git('ls-files')?.split('\n') ?? []
  return files.filter((file) => extensions.has(extname(file)) && !exempt.some((path) => file.startsWith(path)))
}

/** The word list itself, and files written by tools or in other languages. */
const exempt = [
  'deploy/local/src/checks/wording',
  'pnpm-lock.yaml',
  'services/emails/src/adapters/texts/',
  'services/pages/src/texts/de',
  'services/pages/src/texts/es',
  'services/pages/src/texts/fr',
  'services/pages/src/texts/nl',
  'services/pages/src/texts/pl',
  'services/pages/src/texts/pt',
]
