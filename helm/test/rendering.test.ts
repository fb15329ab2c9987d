import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { packChart } from '../build/build-chart.ts'
import { tlsComponents } from './src/code.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { invalidFields } from './src/invalid-fields.ts'
import type { PodSpec } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { podSecurityViolations } from './src/pod-security.ts'
import { newestKubernetes, oldestKubernetes, render } from './src/render.ts'
import { scenarios } from './src/values.ts'

describeWithHelm('the chart', () => {
  describe.each(scenarios)('with the values of ci/%s-values.yaml', (scenario) => {
    let manifest: Manifest

    beforeAll(async () => {
      manifest = await render(scenario)
    })

    it('passes helm lint --strict', async () => {
      const { code, stdout } = await runHelm('lint', chart, '--strict', '-f', `ci/${scenario}-values.yaml`)
      expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/)
      expect(code).toBe(0)
    })

    it.each([oldestKubernetes, newestKubernetes])('creates valid objects for Kubernetes %s', async (kubeVersion) => {
      const { objects } = await render(scenario, {}, { kubeVersion })
      expect(objects.length).toBeGreaterThan(10)
      for (const object of objects)
        expect([object.metadata.name, invalidFields(object)]).toEqual([object.metadata.name, []])
    })

    it('creates pods that meet the restricted Pod Security Standard', () => {
      const pods = manifest.pods()
      expect(pods.length).toBeGreaterThan(3)
      for (const { owner, spec } of pods) expect([owner, podSecurityViolations(spec)]).toEqual([owner, []])
    })

    it('creates objects with unique names, a namespace and the labels of the release', () => {
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

    it('sets resource requests and a memory limit for every container', () => {
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

    it('refers only to Secrets, ConfigMaps and service accounts that it creates or that the values name', () => {
      const created = new Set(manifest.objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
      for (const { spec } of manifest.all('Certificate')) created.add(`Secret ${spec.secretName}`)
      const existing = new Set(existingObjects)
      for (const { spec } of manifest.pods()) {
        for (const reference of referencesOf(spec))
          expect(created.has(reference) || existing.has(reference) || reference).toBe(true)
      }
    })
  })

  it('renders the same from its package', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chart-'))
    try {
      const archive = await packChart(folder)
      const flags = ['--namespace', 'shops', '--kube-version', newestKubernetes, '-f', 'ci/external-values.yaml']
      const [packed, unpacked] = await Promise.all(
        [archive, chart].map((where) => runHelm('template', 'shop', where, ...flags)),
      )
      expect(packed?.stdout).toContain('kind: Deployment')
      expect(packed).toEqual(unpacked)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('rejects an unsupported version of Kubernetes', async () => {
    await expect(render('minimal', {}, { kubeVersion: '1.26.0' })).rejects.toThrow('kubeVersion')
  })
})

describe('the object checks', () => {
  const good = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { selector: {}, template: { spec: { containers: [{ name: 'x', image: 'y' }] } } },
  }

  it('accept a valid object', () => {
    expect(invalidFields(good)).toEqual([])
  })

  it.each([
    ['an unknown field', { ...good, spec: { ...good.spec, replica: 1 } }, /replica does not exist/],
    ['a wrong type', { ...good, spec: { ...good.spec, replicas: 'two' } }, /replicas|integer|number/],
    ['a missing field', { ...good, spec: { template: good.spec.template } }, /selector/],
    ['a removed API', { ...good, apiVersion: 'extensions/v1beta1' }, /does not exist/],
  ])('detect %s', (_what, object, problem) => {
    expect(invalidFields(object).join()).toMatch(problem)
  })

  it('detect every violation of the restricted Pod Security Standard', () => {
    expect(
      podSecurityViolations({
        hostNetwork: true,
        containers: [{ name: 'x', image: 'y' }],
        volumes: [{ name: 'v', hostPath: {} }],
      }),
    ).toHaveLength(10)
  })
})

const existingObjects = [
  ...['storekeep-secrets', 'valkey', 'customers-database', 'steam', 'mirror'].map((name) => `Secret ${name}`),
  ...tlsComponents.map((name) => `Secret storekeep-${name}-tls`),
  'ConfigMap company-ca',
  'ConfigMap shops-trust',
  'ServiceAccount default',
  // Hooks run before the chart's service account exists.
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
