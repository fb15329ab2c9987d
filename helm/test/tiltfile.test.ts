import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { services } from '@storekeep/local/services'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { newestKubernetes, parseManifest } from './src/render.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tiltfile = read('Tiltfile')
const names = services.map(({ name }) => name as string)
const components = [...names, 'gateway', 'pages', 'admin-tools']

// Tilt is not available from npm, so this checks the file piece by piece.
describe('the Tiltfile', () => {
  it('is formatted and has no lint warnings', async () => {
    expect(await buildifier(tiltfile)).toEqual({ code: 0, stderr: '' })
  })

  it.each([
    ['is not formatted', (text: string) => text.replace('RELEASE = ', 'RELEASE=')],
    ['has an undocumented function', (text: string) => `${text}\ndef f():\n    return [1, 2]\n    pass\n`],
    ['is not Starlark', (text: string) => `${text}\nclass A: pass\n`],
  ])('would fail the check if it %s', async (_how, spoil) => {
    expect((await buildifier(spoil(tiltfile))).code).not.toBe(0)
  })

  it('is at most 120 lines long', () => {
    expect(tiltfile.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('names no service except the one in the seed, so that a new service needs no change', () => {
    const code = tiltfile.replaceAll(/#.*|"""[^"]*"""|deploy\/images\//g, '')
    expect(names.filter((name) => new RegExp(`["/-]${name}["/-]`).test(code))).toEqual(['stores'])
  })

  it('refers only to existing files', () => {
    const paths = [...tiltfile.matchAll(/"((?:deploy|helm)\/[^"]*)"/g)].map(([, path]) => path ?? '')
    expect(paths).toContain('deploy/images/Dockerfile')
    for (const path of paths) expect(() => readFileSync(`${root}${path}`), path).not.toThrow('ENOENT')
  })

  it('syncs sources to the paths of the image, owned by the user of the container', () => {
    const dockerfile = read('deploy/images/Dockerfile')
    const { runAsUser, runAsGroup } = parse(read('helm/storekeep/values.yaml')).security
    expect(tiltfile).toContain(`chown -R ${runAsUser}:${runAsGroup} "\${PACKAGE}/src" services/common/src`)
    expect(dockerfile).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`)
    expect(dockerfile).toContain('\nWORKDIR /app\n')
    expect(dockerfile).toContain('\nARG PACKAGE\n')
    for (const [, place] of tiltfile.matchAll(/sync\([^,]*, "([^"]*)"/g)) expect(place).toMatch(/^\/app\//)
  })

  it.each(['seed', 'test'])('has a button for npm run %s', (script) => {
    expect(tiltfile).toMatch(new RegExp(`"npm (run )?${script}"`))
    expect(JSON.parse(read('package.json')).scripts).toHaveProperty(script)
  })
})

describeWithHelm('the chart with deploy/local/tilt-values.yaml', async () => {
  const flags = ['--kube-version', newestKubernetes, '--values', `${root}deploy/local/tilt-values.yaml`]
  const { code, stdout, stderr } = await runHelm('template', 'storekeep', chart, ...flags)
  if (code !== 0) throw new Error(stderr)
  const manifest = parseManifest(stdout)

  it('has exactly the workloads that the Tiltfile expects', () => {
    const servers = ['postgres', 'nats']
    expect(manifest.names('Deployment')).toEqual([...components, 'redis'].map((name) => `storekeep-${name}`).sort())
    expect(manifest.names('StatefulSet')).toEqual(servers.map((name) => `storekeep-${name}`).sort())
    expect(manifest.names('Job')).toHaveLength(1)
    expect(manifest.all('Pod')).toEqual([])
  })

  it.each(components)('runs %s in one container, from the image that Tilt builds', (name) => {
    const { containers } = manifest.one('Deployment', `storekeep-${name}`).spec.template.spec
    expect(containers).toHaveLength(1)
    expect(containers[0]).toMatchObject({ name, securityContext: { readOnlyRootFilesystem: true } })
    expect(containers[0].image).toMatch(new RegExp(`^storekeep/${name}:`))
    expect(containers[0].command[0]).toBe('node')
  })

  it('uses no persistent volumes, so that a reset starts from scratch', () => {
    for (const { spec } of manifest.all('StatefulSet')) expect(spec.volumeClaimTemplates).toBeUndefined()
  })
})

it('kind uses only a local registry', () => {
  const text = read('deploy/local/kind.yaml')
  expect(parse(text)).toMatchObject({ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', name: 'storekeep' })
  const hosts = [...text.matchAll(/[\w.-]+(?=:\d)/g)].map(([host]) => host)
  expect(new Set(hosts)).toEqual(new Set(['127.0.0.1', 'localhost', 'registry']))
})

function buildifier(text: string): Promise<{ code: number; stderr: string }> {
  const program = createRequire(import.meta.url).resolve('@bazel/buildifier/buildifier.js')
  const flags = ['-type=default', '-mode=check', '-lint=warn', '-warnings=all', '-path=Tiltfile']
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...flags], (error, _stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stderr })
    })
    child.stdin?.end(text)
  })
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}
