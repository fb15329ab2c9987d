import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { services } from '@storekeep/local/services'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { chart, runHelm, whyNoHelm } from './src/helm.ts'
import type { KubernetesObject } from './src/kubernetes-object.ts'
import { Manifest } from './src/manifest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const tiltfile = read('Tiltfile')
const names = services.map(({ name }) => name as string)
const members = [...names, 'gateway']

// Tilt cannot be had from npm, so what it makes of the file is looked at piece by piece.
describe('the Tiltfile', () => {
  it('is formatted, and the linter has no warning for it', async () => {
    expect(await buildifier(tiltfile)).toEqual({ code: 0, stderr: '' })
  })

  it.each([
    ['is formatted otherwise', (text: string) => text.replace('RELEASE = ', 'RELEASE=')],
    ['has a function that nobody explains', (text: string) => `${text}\ndef f():\n    return [1, 2]\n    pass\n`],
    ['is no Starlark', (text: string) => `${text}\nclass A: pass\n`],
  ])('would be refused if it %s', async (_how, spoil) => {
    expect((await buildifier(spoil(tiltfile))).code).not.toBe(0)
  })

  it('is short enough to be read', () => {
    expect(tiltfile.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('names no service but the one that the seed calls, so that a new one needs no line', () => {
    const code = tiltfile.replaceAll(/#.*|"""[^"]*"""/g, '')
    expect(names.filter((name) => new RegExp(`["/-]${name}["/-]`).test(code))).toEqual(['stores'])
  })

  it('takes every path that it names from the repository', () => {
    const paths = [...tiltfile.matchAll(/"((?:deploy|helm)\/[^"]*)"/g)].map(([, path]) => path ?? '')
    expect(paths).toContain('deploy/images/Dockerfile')
    for (const path of paths) expect(() => readFileSync(`${root}${path}`), path).not.toThrow('ENOENT')
  })

  it('copies sources to where the image has them, and gives them to the user that the container runs as', () => {
    const dockerfile = read('deploy/images/Dockerfile')
    const { runAsUser, runAsGroup } = parse(read('helm/storekeep/values.yaml')).security
    expect(tiltfile).toContain(`chown -R ${runAsUser}:${runAsGroup} "\${MEMBER}/src" services/common/src`)
    expect(dockerfile).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`)
    expect(dockerfile).toContain('\nWORKDIR /app\n')
    expect(dockerfile).toContain('\nARG MEMBER\n')
    for (const [, place] of tiltfile.matchAll(/sync\([^,]*, "([^"]*)"/g)) expect(place).toMatch(/^\/app\//)
  })

  it.each(['seed', 'test'])('has a button for npm run %s, which there is', (script) => {
    expect(tiltfile).toMatch(new RegExp(`"npm (run )?${script}"`))
    expect(JSON.parse(read('package.json')).scripts).toHaveProperty(script)
  })
})

describe.skipIf(whyNoHelm)(`the chart with the values of tilt up (${whyNoHelm ?? 'by Helm'})`, () => {
  let manifest: Manifest

  beforeAll(async () => {
    const flags = ['--kube-version', '1.34.0', '--values', `${root}deploy/local/tilt-values.yaml`]
    const { code, stdout, stderr } = await runHelm('template', 'storekeep', chart, ...flags)
    if (code !== 0) throw new Error(stderr)
    const objects = [...parseAllDocuments(stdout)].map((document) => document.toJS() as KubernetesObject | null)
    manifest = new Manifest(objects.filter((one) => one !== null))
  })

  it('has a workload for every resource of the Tiltfile, and no other', () => {
    const servers = ['postgres', 'nats']
    expect(manifest.names('Deployment')).toEqual([...members, 'redis'].map((name) => `storekeep-${name}`).sort())
    expect(manifest.names('StatefulSet')).toEqual(servers.map((name) => `storekeep-${name}`).sort())
    expect(manifest.names('Job')).toHaveLength(1)
    expect(manifest.all('Pod')).toEqual([])
  })

  it.each(members)('runs %s in one container of its name from the image that is built for it', (name) => {
    const { containers } = manifest.one('Deployment', `storekeep-${name}`).spec.template.spec
    expect(containers).toHaveLength(1)
    expect(containers[0]).toMatchObject({ name, securityContext: { readOnlyRootFilesystem: true } })
    expect(containers[0].image).toMatch(new RegExp(`^storekeep/${name}:`))
    expect(containers[0].command[0]).toBe('node')
  })

  it('keeps no data longer than its pods, so that reset begins anew', () => {
    for (const { spec } of manifest.all('StatefulSet')) expect(spec.volumeClaimTemplates).toBeUndefined()
  })
})

it('kind needs no registry outside this machine', () => {
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
