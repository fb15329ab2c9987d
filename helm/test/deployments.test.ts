import { beforeAll, describe, expect, it } from 'vitest'
import { codeServices, components } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)

describe.skipIf(whyNoHelm)(`pods (${whyNoHelm ?? 'by Helm'})`, () => {
  let usual: Manifest
  let old: Manifest
  let ha: Manifest

  beforeAll(async () => {
    usual = await render('default')
    old = await render('default', {}, { kubeVersion: '1.29.0' })
    ha = await render('ha')
  })

  it('come from a Deployment for every service and the gateway, and from no other', () => {
    expect(usual.names('Deployment')).toEqual(components.map((name) => `shop-storekeep-${name}`).sort())
  })

  it.each(services)(
    'of %s run its main.ts, with Kubernetes asking gRPC health, and HTTP for the event loop',
    (name) => {
      const container = usual.container(name)
      expect(container.command).toEqual(['node', `services/${name}/src/main.ts`])
      expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
      expect(container.readinessProbe.grpc).toEqual({ port: 50051 })
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
      expect(container.ports).toEqual([
        { name: 'grpc', containerPort: 50051 },
        { name: 'metrics', containerPort: 9464 },
      ])
    },
  )

  it('of the gateway run its main.ts, asked over HTTP', () => {
    const container = usual.container('gateway')
    expect(container.command).toEqual(['node', 'gateway/src/main.ts'])
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9464 },
    ])
    expect(usual.settings('gateway').METRICS_PORT).toBe('9464')
  })

  it.each(components)('of %s have five minutes for their start, and half of a minute of silence', (name) => {
    const { startupProbe, livenessProbe } = usual.container(name)
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300)
    expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBeGreaterThanOrEqual(30)
  })

  it.each(components)('of %s are never fewer during a release', (name) => {
    expect(usual.one('Deployment', `shop-storekeep-${name}`).spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    })
  })

  it('of two pods take longer to be replaced than a name may be remembered in the cluster', () => {
    const { minReadySeconds } = usual.one('Deployment', 'shop-storekeep-stores').spec
    const rememberedSeconds = 30
    expect(2 * minReadySeconds + 5).toBeGreaterThan(rememberedSeconds)
  })

  it.each(components)('of %s sleep natively before they end, where the cluster can', (name) => {
    expect(usual.container(name).lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } })
    expect(old.container(name).lifecycle).toBeUndefined()
  })

  it('of the gateway wait by themselves where the cluster cannot', () => {
    expect(usual.settings('gateway').SHUTDOWN_DELAY_MS).toBe('2000')
    expect(old.settings('gateway').SHUTDOWN_DELAY_MS).toBe('7000')
  })

  it.each([
    ['stores', 5 + 20],
    ['gateway', 5 + 2 + 15],
  ])('of %s have the time that all steps of their end take, and ten seconds to spare', async (name, seconds) => {
    expect(usual.pod(name).terminationGracePeriodSeconds).toBe(seconds + 10)
    const settings = { SHUTDOWN_GRACE_MS: 61_500 }
    const slower = await render('default', {
      serviceSettings: settings,
      gateway: { settings },
      defaults: { preStopSeconds: 9 },
    })
    const added = 9 - 5 + Math.ceil(name === 'gateway' ? 61.5 - 15 : 61.5 - 20)
    expect(slower.pod(name).terminationGracePeriodSeconds).toBe(seconds + 10 + added)
  })

  it('of a service without the native sleep have as much less time', () => {
    expect(old.pod('stores').terminationGracePeriodSeconds).toBe(30)
    expect(old.pod('gateway').terminationGracePeriodSeconds).toBe(32)
  })

  it.each(components)('of %s spread over zones and nodes, counting those of their own release', (name) => {
    const rules = usual.pod(name).topologySpreadConstraints
    expect(rules.map(({ topologyKey }: { topologyKey: string }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ])
    for (const rule of rules) {
      expect(rule).toMatchObject({ whenUnsatisfiable: 'ScheduleAnyway', matchLabelKeys: ['pod-template-hash'] })
      expect(rule.labelSelector.matchLabels['app.kubernetes.io/component']).toBe(name)
    }
  })

  it('of every kind, those of the migrations and of `helm test` too, run on the nodes that the defaults name', async () => {
    const placement = { nodeSelector: { pool: 'shops' }, tolerations: [{ key: 'shops', operator: 'Exists' }] }
    const trial = await render('bundled', { defaults: placement })
    for (const manifest of [trial, await render('default', { defaults: placement })]) {
      const owners = manifest.pods().map(({ owner }) => owner)
      expect(owners).toContain('Pod shop-storekeep-test')
      expect(owners.some((owner) => owner.startsWith('Job '))).toBe(true)
      for (const { owner, spec } of manifest.pods()) {
        const { nodeSelector, tolerations } = spec
        expect({ owner, nodeSelector, tolerations }).toEqual({ owner, ...placement })
      }
    }
  })

  it.each(components)(
    'of %s are found by their Deployment, their Service and their budget, and by nobody else',
    (name) => {
      const { selector, template } = usual.one('Deployment', `shop-storekeep-${name}`).spec
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
      expect(selector.matchLabels['app.kubernetes.io/component']).toBe(name)
      expect(usual.one('Service', `shop-storekeep-${name}`).spec.selector).toEqual(selector.matchLabels)
      expect(usual.one('PodDisruptionBudget', `shop-storekeep-${name}`).spec.selector).toEqual(selector)
    },
  )

  it.each(services)('of %s are called in turns, by a Service without an address of its own', (name) => {
    const { spec } = usual.one('Service', `shop-storekeep-${name}`)
    expect(spec.clusterIP).toBe('None')
    expect(spec.ports[0]).toEqual({ name: 'grpc', port: 50051, targetPort: 'grpc', appProtocol: 'grpc' })
    expect(usual.settings('gateway')[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`]).toBe(
      `dns:///shop-storekeep-${name}:50051`,
    )
  })

  it('of the gateway are called by one address', () => {
    const { spec } = usual.one('Service', 'shop-storekeep-gateway')
    expect(spec).toMatchObject({
      type: 'ClusterIP',
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 9464, targetPort: 'metrics' },
      ],
    })
    expect(spec.clusterIP).toBeUndefined()
  })

  it('start again when a setting or a secret of theirs changes, and only then', async () => {
    const same = await render('default', {}, { isUpgrade: true })
    const setting = await render('default', { services: { bans: { settings: { LOG_LEVEL: 'warn' } } } })
    const secret = await render('default', {
      services: { stores: { secrets: { ENCRYPTION_KEY: { value: 'F'.repeat(43) } } } },
    })
    expect(changedPods(usual, same)).toEqual([])
    expect(changedPods(usual, setting)).toEqual(['bans'])
    expect(changedPods(usual, secret)).toEqual(['stores'])
  })

  it.each([
    ['as many as there are', 8, 8],
    ['never fewer than the fewest', 1, 3],
  ])(
    'that the load decides about are %s at a release, even at the one that begins with it',
    async (_what, now, then) => {
      const autoscaling = { enabled: true, minReplicas: 3 }
      // A rendering has no cluster to ask, so the template that decides is handed its answer.
      const known = JSON.stringify({ component: { autoscaling, replicas: 8 }, live: { spec: { replicas: now } } })
      const asked = `include "storekeep.replicas" (fromJson ${JSON.stringify(known)})`
      const probe = `{apiVersion: v1, kind: ConfigMap, metadata: {name: probe}, data: {replicas: {{ ${asked} | quote }}}}`
      const manifest = await render('ha', { extraObjects: [probe] })
      expect(manifest.one('ConfigMap', 'probe').data.replicas).toBe(String(then))
    },
  )

  it('have no number where autoscaling gives it', () => {
    expect(ha.one('Deployment', 'shops-stores').spec.replicas).toBeUndefined()
    expect(ha.one('Deployment', 'shops-bans').spec.replicas).toBe(4)
    expect(ha.names('HorizontalPodAutoscaler')).toEqual(
      components
        .filter((name) => name !== 'bans')
        .map((name) => `shops-${name}`)
        .sort(),
    )
    expect(ha.one('HorizontalPodAutoscaler', 'shops-gateway').spec).toMatchObject({
      minReplicas: 3,
      maxReplicas: 12,
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 70 } } }],
    })
  })

  it('keep as many as their budget says, and one that is not ready holds no node up', () => {
    expect(ha.one('PodDisruptionBudget', 'shops-stores').spec).toMatchObject({
      minAvailable: 2,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    })
  })

  it.each(components)('of %s take what is set for all of them', (name) => {
    const pod = ha.pod(name)
    expect(pod).toMatchObject({
      priorityClassName: 'shops',
      nodeSelector: { pool: 'shops' },
      imagePullSecrets: [{ name: 'mirror' }],
    })
    expect(pod.tolerations).toEqual([{ key: 'shops', operator: 'Exists', effect: 'NoSchedule' }])
    expect(pod.topologySpreadConstraints[0].whenUnsatisfiable).toBe('DoNotSchedule')
    const { metadata } = ha.one('Deployment', `shops-${name}`).spec.template
    expect(metadata.labels).toMatchObject({ tier: 'backend', team: 'shops' })
    expect(metadata.annotations['example.org/scan']).toBe('true')
    expect(ha.settings(name).NODE_EXTRA_CA_CERTS).toBe('/etc/ca/ca.pem')
    expect(ha.container(name).volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/ca', readOnly: true })
    expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'company-ca' } })
  })

  it('of one component win with what is set for it alone, and keep the rest', () => {
    expect(ha.container('gateway').resources).toEqual({
      requests: { cpu: '500m', memory: '160Mi' },
      limits: { memory: '384Mi' },
    })
    expect(ha.container('stores').resources.requests.cpu).toBe('100m')
    expect(ha.pod('bans').affinity.nodeAffinity).toBeDefined()
    expect(ha.pod('stores').affinity).toBeUndefined()
  })

  it('may be switched to nothing by one component, against the default', async () => {
    const none = {
      replicas: 0,
      podDisruptionBudget: { enabled: false },
      preStopSeconds: 0,
      topologySpread: { keys: [] },
    }
    const manifest = await render('default', { services: { bans: none } })
    expect(manifest.one('Deployment', 'shop-storekeep-bans').spec.replicas).toBe(0)
    expect(manifest.names('PodDisruptionBudget')).not.toContain('shop-storekeep-bans')
    expect(manifest.container('bans').lifecycle).toBeUndefined()
    expect(manifest.pod('bans').topologySpreadConstraints).toBeUndefined()
  })

  it.each([
    ['by the version of the chart', {}, 'storekeep/', ':0.1.0'],
    ['by a tag', { image: { tag: '1.2.3' } }, 'storekeep/', ':1.2.3'],
    ['in a place of its own', { image: { repository: 'shops/storekeep' } }, 'shops/storekeep/', ':0.1.0'],
    ['in a registry', { image: { registry: 'images.example.org' } }, 'images.example.org/storekeep/', ':0.1.0'],
    ['from a mirror', { global: { imageRegistry: 'mirror.example.org' } }, 'mirror.example.org/storekeep/', ':0.1.0'],
  ])('run an image of their own each, named %s', async (_how, values, before, after) => {
    const manifest = await render('default', values)
    for (const name of components) expect(manifest.container(name).image).toBe(`${before}${name}${after}`)
  })

  it.each(components)('pin %s alone by its digest, which wins over the tag', async (pinned) => {
    const image = { digest: `sha256:${'0'.repeat(64)}` }
    const own = pinned === 'gateway' ? { gateway: { image } } : { services: { [pinned]: { image } } }
    const manifest = await render('default', { image: { tag: '1.2.3' }, ...own })
    for (const name of components) {
      const version = name === pinned ? `@${image.digest}` : ':1.2.3'
      expect(manifest.container(name).image).toBe(`storekeep/${name}${version}`)
    }
  })

  it('have an account without rights or token', () => {
    expect(usual.one('ServiceAccount', 'shop-storekeep').automountServiceAccountToken).toBe(false)
    expect(usual.pod('stores')).toMatchObject({
      serviceAccountName: 'shop-storekeep',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    })
    expect([...usual.all('Role'), ...usual.all('RoleBinding'), ...usual.all('ClusterRole')]).toEqual([])
  })

  it('run as somebody else where it is said', async () => {
    const manifest = await render('default', { security: { runAsUser: 20_000, runAsGroup: 20_001, fsGroup: 20_002 } })
    expect(manifest.pod('stores').securityContext).toMatchObject({
      runAsUser: 20_000,
      runAsGroup: 20_001,
      fsGroup: 20_002,
    })
  })
})

describe.skipIf(whyNoHelm)(`names (${whyNoHelm ?? 'by Helm'})`, () => {
  it.each([
    [{}, 'shop-storekeep-stores'],
    [{ nameOverride: 'sk' }, 'shop-sk-stores'],
    [{ fullnameOverride: 'shops' }, 'shops-stores'],
  ])('follow %j', async (values, name) => {
    expect((await render('default', values)).names('Deployment')).toContain(name)
  })
})

function changedPods(before: Manifest, after: Manifest): string[] {
  return components.filter((name) => {
    const [one, other] = [before, after].map(
      (manifest) => manifest.one('Deployment', `shop-storekeep-${name}`).spec.template,
    )
    return JSON.stringify(one) !== JSON.stringify(other)
  })
}
