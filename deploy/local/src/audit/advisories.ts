import { execFile } from 'node:child_process'
import { pnpm } from '../../bootstrap/packages.mjs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { paths } from '../paths.ts'

/**
 * Requests the known vulnerabilities of every package in the lock file from the package registry.
 * @param registry replaces the configured registry
 * @returns a line for each advisory
 * @throws SetupError when the registry does not respond with advisories: an audit that did not run must not pass
 */
export async function findAdvisories(registry?: string): Promise<string[]> {
  const args = ['audit', '--json', ...(registry ? [`--registry=${registry}`] : [])]
  const { stdout, stderr } = await runPnpm(args)
  // pnpm prints its own failures as JSON or as text, but only a completed audit has advisories.
  const advisories: unknown = stdout.startsWith('{') ? JSON.parse(stdout).advisories : undefined
  if (!isRecord(advisories))
    throw new SetupError(
      'The package registry returned no advisories. Scan the SBOMs instead: deploy/images/README.md',
      [...lines(stderr), ...lines(stdout)],
    )
  return Object.values(advisories).map(
    ({ severity, module_name, vulnerable_versions, title, url, findings }) =>
      `${severity}: ${module_name} ${vulnerable_versions}: ${title} (${url}), by ${findings.flatMap(({ paths }) => paths).join(', ')}`,
  )
}

/** Exit codes are ignored: pnpm exits with 1 both when it finds advisories and when it fails. */
function runPnpm(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(pnpm, args, { cwd: paths.root, maxBuffer: 16 * 1024 * 1024 }, (_code, stdout, stderr) =>
      resolve({ stdout, stderr }),
    )
  })
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function isRecord(value: unknown): value is Record<string, Advisory> {
  return typeof value === 'object' && value !== null
}

interface Advisory {
  severity: string
  module_name: string
  vulnerable_versions: string
  title: string
  url: string
  findings: { paths: string[] }[]
}
