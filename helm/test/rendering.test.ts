import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { components } from './src/code.ts'
import { chart, runHelm, whyNoHelm } from './src/helm.ts'
import type { PodSpec } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render, scenarios } from './src/render.ts'
import { breachesOfRestricted } from './src/restricted.ts'
import { wrongFields } from './src/wrong-fields.ts'

const kubeVersions = ['1.27.0', '1.30.0', '1.34.0', '1.36.0']

describe.skipIf(whyNoHelm)(`the chart (${whyNoHelm ?? 'by Helm'})`, () => {
  describe.each(scenarios)('with the values of ci/%s-values.yaml', (scenario) => {
    let manifest: Manifest

    beforeAll(async () => {
      manifest = await render(scenario)
    })

    it('passes the strict lint', async () => {
      const { code, stdout } = await runHelm('lint', chart, '--strict', '-f', `ci/${scenario}-values.yaml`)
      expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/)
      expect(code).toBe(0)
    })

    it.each(kubeVersions)('makes objects for Kubernetes %s that fit their API in every field', async (kubeVersion) => {
      const { objects } = await render(scenario, {}, { kubeVersion })
      expect(objects.length).toBeGreaterThan(10)
      for (const object of objects)
        expect([object.metadata.name, wrongFields(object)]).toEqual([object.metadata.name, []])
    })

    it('makes pods that meet the restricted level, each of them', () => {
      const pods = manifest.pods()
      expect(pods.length).toBeGreaterThan(3)
      for (const { owner, spec } of pods) expect([owner, breachesOfRestricted(spec)]).toEqual([owner, []])
    })

    it('names every object once, in its namespace, with the labels of the release', () => {
      const names = manifest.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      expect(new Set(names).size).toBe(names.length)
      for (const { kind, metadata } of manifest.objects) {
        if (metadata.name === 'shop-company') continue
        expect([metadata.name, metadata.namespace]).toEqual([metadata.name, 'shops'])
        expect([kind, metadata.labels]).toMatchObject([
          kind,
          { 'app.kubernetes.io/instance': 'shop', 'app.kubernetes.io/part-of': 'storekeep' },
        ])
      }
    })

    it('asks for memory and CPU, and bounds the memory, in every container', () => {
      for (const { containers } of manifest.pods().map(({ spec }) => spec)) {
        for (const { name, resources } of containers) {
          expect([name, resources]).toMatchObject([
            name,
            {
              requests: { cpu: expect.any(String), memory: expect.any(String) },
              limits: { memory: expect.any(String) },
            },
          ])
        }
      }
    })

    it('refers to Secrets, ConfigMaps and accounts that it makes, or that the values name', () => {
      const made = new Set(manifest.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
      for (const { spec } of manifest.all('Certificate')) made.add(`Secret ${spec.secretName}`)
      const given = new Set(givenElsewhere)
      for (const { spec } of manifest.pods()) {
        for (const reference of referencesOf(spec))
          expect(made.has(reference) || given.has(reference) || reference).toBe(true)
      }
    })
  })

  it('renders from its package as it does from its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chart-'))
    try {
      await runHelm('package', chart, '--destination', folder)
      const [archive = ''] = await readdir(folder)
      const flags = ['--namespace', 'shops', '--kube-version', '1.34.0', '-f', 'ci/external-values.yaml']
      const [packed, unpacked] = await Promise.all(
        [join(folder, archive), chart].map((where) => runHelm('template', 'shop', where, ...flags)),
      )
      expect(archive).toMatch(/^storekeep-.+\.tgz$/)
      expect(packed?.stdout).toContain('kind: Deployment')
      expect(packed).toEqual(unpacked)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuses a Kubernetes that is too old', async () => {
    await expect(render('minimal', {}, { kubeVersion: '1.26.0' })).rejects.toThrow('kubeVersion')
  })
})

describe('the checks of objects', () => {
  const good = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'x', image: 'y' }] } } },
  }

  it('see nothing wrong with a sound one', () => {
    expect(wrongFields(good)).toEqual([])
  })

  it.each([
    ['an unknown field', { ...good, spec: { ...good.spec, replica: 1 } }, /replica does not exist/],
    ['a wrong type', { ...good, spec: { ...good.spec, replicas: 'two' } }, /replicas|integer|number/],
    ['a missing field', { ...good, spec: { template: good.spec.template } }, /selector/],
    ['a removed API', { ...good, apiVersion: 'extensions/v1beta1' }, /does not exist/],
  ])('see %s', (_what, object, problem) => {
    expect(wrongFields(object).join()).toMatch(problem)
  })

  it('see every breach of the restricted level', () => {
    expect(
      breachesOfRestricted({
        hostNetwork: true,
        containers: [{ name: 'x', image: 'y' }],
        volumes: [{ name: 'v', hostPath: {} }],
      }),
    ).toHaveLength(10)
  })
})

const givenElsewhere = [
  ...['storekeep-secrets', 'valkey', 'customers-database', 'steam', 'mirror'].map((name) => `Secret ${name}`),
  ...components.map((name) => `Secret storekeep-${name}-tls`),
  'ConfigMap company-ca',
  'ConfigMap shops-trust',
  'ServiceAccount default',
  // Hooks run before the chart's own account is there.
  'ServiceAccount undefined',
]

function referencesOf(spec: PodSpec): string[] {
  const volumes = (spec.volumes ?? []).flatMap(({ secret, configMap, projected }: Volume) => [
    ...(secret ? [`Secret ${secret.secretName}`] : []),
    ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
    ...(projected?.sources ?? []).map((source) =>
      source.secret ? `Secret ${source.secret.name}` : `ConfigMap ${source.configMap?.name}`,
    ),
  ])
  const containers = spec.containers.flatMap(({ env = [], envFrom = [] }: ReturnType<Manifest['container']>) => [
    ...env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [`Secret ${valueFrom.secretKeyRef.name}`] : [])),
    ...envFrom.flatMap(({ configMapRef }) => (configMapRef ? [`ConfigMap ${configMapRef.name}`] : [])),
  ])
  return [`ServiceAccount ${spec.serviceAccountName}`, ...volumes, ...containers]
}

interface Volume {
  secret?: { secretName: string }
  configMap?: { name: string }
  projected?: { sources: { secret?: { name: string }; configMap?: { name: string } }[] }
}
