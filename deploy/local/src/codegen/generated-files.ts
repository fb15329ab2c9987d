import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsAccounts, passwordVariable, redisUsers } from '../../../rights.ts'
import { adminTools, gateway, pages, services } from '../../../topology.ts'
import { paths } from '../paths.ts'
import { composeProcesses } from './compose.ts'

/** Files, or parts of files, that are generated from deploy/topology.ts and deploy/rights.ts and committed. */
export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'helm/storekeep/files/services.yaml', generate: () => chartCatalog() },
  {
    path: 'helm/storekeep/files/nats-accounts.conf',
    generate: () => natsAccounts((user) => `$${passwordVariable(user, 'NATS')}`),
  },
  {
    path: 'helm/storekeep/files/redis-users.acl',
    generate: () => redisUsers((user) => `$${passwordVariable(user, 'REDIS')}`),
  },
  { path: 'deploy/compose.yaml', generate: (current) => replaceGeneratedPart(current, composeProcesses()) },
]

export function writeGeneratedFiles(): void {
  for (const { path, content } of findOutdatedFiles()) writeFileSync(join(paths.root, path), content)
}

/** The generated files whose content differs from what the topology gives, with the content that they should have. */
export function findOutdatedFiles(root = paths.root): { path: string; content: string }[] {
  return generatedFiles.flatMap(({ path, generate }) => {
    const current = readFileSync(join(root, path), 'utf8')
    const content = generate(current)
    return content === current ? [] : [{ path, content }]
  })
}

const notice = 'Generated from deploy/topology.ts by `npm run codegen`. Edit that file instead.'

/** The components of the chart and their calls; omits defaults. */
function chartCatalog(): string {
  const entries = services.map(({ name, calls, redis, secrets, optionalSecrets, publicPaths, internet, smtp }) => {
    const fields = [
      ...listField('calls', calls),
      ...(redis ? ['redis: true'] : []),
      ...listField('secrets', Object.keys(secrets)),
      ...listField('optionalSecrets', optionalSecrets),
      ...mapField('publicPaths', publicPaths),
      ...(internet ? ['internet: true'] : []),
      ...(smtp ? ['smtp: true'] : []),
    ]
    return fields.length === 0 ? `  ${name}: {}\n` : `  ${name}:\n${fields.map((field) => `    ${field}\n`).join('')}`
  })
  const others = { gateway, pages, adminTools }
  const callers = Object.entries(others).map(([name, { calls }]) => `${name}:\n  ${listField('calls', calls)}\n`)
  return `# ${notice} It explains the fields.\nservices:\n${entries.join('')}${callers.join('')}`
}

function mapField(name: string, values: Readonly<Record<string, string>>): string[] {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${value}`)
  return lines.length === 0 ? [] : [`${name}:`, ...lines]
}

function listField(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${name}: [${values.join(', ')}]`]
}

/** Replaces the lines between the two markers. */
function replaceGeneratedPart(current: string, part: string): string {
  const [before, rest = ''] = current.split('# BEGIN GENERATED\n')
  const [, after] = rest.split('  # END GENERATED\n')
  if (after === undefined) throw new Error('"# BEGIN GENERATED" or "# END GENERATED" is missing')
  return `${before}# BEGIN GENERATED\n# ${notice}\n${part}\n  # END GENERATED\n${after}`
}

interface GeneratedFile {
  path: string
  generate(current: string): string
}
