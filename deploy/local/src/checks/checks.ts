import { delimiter, dirname, join } from 'node:path'
import { runTool } from '../../bootstrap/run-tool.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { checkLicenses } from '../audit/licenses.ts'
import { findOutdatedFiles } from '../codegen/generated-files.ts'
import { git } from '../git.ts'
import { paths } from '../paths.ts'
import { checkBoundaries } from './boundaries.ts'
import { checkCommitSubjects } from './commit-subjects.ts'
import { checkWording } from './wording.ts'

/** The static checks. */
export const checks: readonly Check[] = [
  { name: 'generated files', run: async () => checkGeneratedFiles() },
  // Several checkers would check the types that they share several times, on processors that the tests need.
  { name: 'types', run: () => tool(['tsc', '-b', '--checkers', '1'], 'Type errors.') },
  {
    name: 'format and lint',
    run: () =>
      tool(
        ['biome', 'check', '--error-on-warnings'],
        'Biome found problems. It fixes some of them with: npx biome check --write',
      ),
  },
  {
    name: 'unused code and dependencies',
    run: () => tool(['knip', '--no-progress'], 'Knip found unused or missing code or dependencies.'),
  },
  { name: 'licenses', run: checkLicenses },
  { name: 'import boundaries', run: () => checkBoundaries() },
  { name: 'wording', run: async () => checkWording() },
  { name: 'commit subjects', run: async () => checkCommitSubjects() },
  { name: 'proto lint', run: () => tool(['buf', 'lint', 'proto'], 'The protos break a lint rule.') },
  { name: 'proto compatibility', run: checkProtoCompatibility },
]

function checkGeneratedFiles(): undefined {
  const outdated = findOutdatedFiles().map(({ path }) => path)
  if (outdated.length > 0) throw new SetupError('Generated files are out of date. Run: npm run codegen', outdated)
}

/** Compares the protos with the main branch. */
async function checkProtoCompatibility(): Promise<string | undefined> {
  const base = ['origin/main', 'main', 'HEAD'].find(
    (ref) => git('cat-file', '-e', `${ref}:proto/buf.yaml`) !== undefined,
  )
  const commit = base && git('rev-parse', base)
  if (commit === undefined) return 'skipped: no Git history to compare with'
  const repository = git('rev-parse', '--git-common-dir')
  const against = `${repository}#ref=${commit},subdir=proto`
  await tool(['buf', 'breaking', 'proto', '--against', against], 'The protos break existing callers. Add a v2 instead.')
  return undefined
}

async function tool([name = '', ...args]: string[], problem: string): Promise<undefined> {
  const bins = ['node_modules/.bin', 'proto/codec/plugin/node_modules/.bin'].map((bin) => join(paths.root, bin))
  const env = { ...process.env, PATH: [...bins, dirname(process.execPath), process.env.PATH].join(delimiter) }
  await runTool([name, ...args], problem, { env, keepLines: 120 })
}

export interface Check {
  name: string
  /** Rejects when the check fails. Returns the reason if it was skipped. */
  run(): Promise<string | undefined>
}
