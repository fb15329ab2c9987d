import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { runTool } from '../../bootstrap/run-tool.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { findOutdatedFiles } from '../codegen/generated-files.ts'
import { paths } from '../paths.ts'
import { checkBoundaries } from './boundaries.ts'

/** Everything that is checked without running the product. Each fails with what is wrong. */
export const checks: readonly Check[] = [
  { name: 'generated files', run: async () => checkGeneratedFiles() },
  { name: 'types', run: () => tool(['tsc', '-b'], 'The types do not fit together.') },
  {
    name: 'format and lint',
    run: () =>
      tool(
        ['biome', 'check', '--error-on-warnings'],
        'Biome refuses something; "npx biome check --write" mends what it can.',
      ),
  },
  {
    name: 'unused code and dependencies',
    run: () => tool(['knip', '--no-progress'], 'Knip found something unused or missing.'),
  },
  { name: 'import boundaries', run: () => checkBoundaries() },
  { name: 'proto lint', run: () => tool(['buf', 'lint', 'proto'], 'The protos break a rule.') },
  { name: 'proto compatibility', run: checkProtoCompatibility },
]

function checkGeneratedFiles(): undefined {
  const outdated = findOutdatedFiles().map(({ path }) => path)
  if (outdated.length > 0) throw new SetupError('Generated files are out of date. Run: npm run codegen', outdated)
}

/** The contracts may only grow against those of the main branch. */
async function checkProtoCompatibility(): Promise<string | undefined> {
  const base = ['origin/main', 'main', 'HEAD'].find(
    (ref) => git('cat-file', '-e', `${ref}:proto/buf.yaml`) !== undefined,
  )
  const commit = base && git('rev-parse', base)
  if (commit === undefined) return 'skipped: there is no git history to compare with'
  const repository = git('rev-parse', '--git-common-dir')
  const against = `${repository}#ref=${commit},subdir=proto`
  await tool(
    ['buf', 'breaking', 'proto', '--against', against],
    'The protos changed in a way that breaks callers. Make a v2 instead.',
  )
  return undefined
}

async function tool([name = '', ...args]: string[], trouble: string): Promise<undefined> {
  const bin = join(paths.root, 'node_modules/.bin')
  const env = { ...process.env, PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter) }
  await runTool([join(bin, name), ...args], trouble, { env, keepLines: 120 })
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: paths.root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

export interface Check {
  name: string
  /** Rejects when something is wrong; may answer why it had nothing to check. */
  run(): Promise<string | undefined>
}
