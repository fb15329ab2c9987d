import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { components } from './src/code.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { invalidFields } from './src/invalid-fields.ts'
import type { Manifest } from './src/manifest.ts'
import { podSecurityViolations } from './src/pod-security.ts'
import { newestKubernetes, parseManifest, render } from './src/render.ts'
import { readValues } from './src/values.ts'

const digest = `sha256:${'0'.repeat(64)}`
const filters = [{ type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x-shop', value: 'y' }] } }]
const proxy = {
  name: 'proxy',
  image: 'registry.example.org/proxy:1',
  volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
}

/** Every key that a chart usually has and that no scenario sets. */
const values = {
  global: { imageRegistry: '', imagePullSecrets: ['mirror'] },
  imagePullSecrets: [{ name: 'own' }],
  commonLabels: { team: 'shops' },
  commonAnnotations: { 'example.org/owner': 'shops' },
  defaults: {
    podLabels: { team: 'backend', tier: 'x' },
    topologySpreadConstraints: [
      { topologyKey: 'rack', maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: [] },
    ],
    podDisruptionBudget: { maxUnavailable: 1 },
    runtimeClassName: 'gvisor',
    schedulerName: 'packing',
    dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
    hostAliases: [{ ip: '10.0.0.5', hostnames: ['postgres.internal'] }],
    extraEnvFrom: [{ secretRef: { name: 'extra' } }],
    autoscaling: { maxReplicas: 7 },
  },
  services: {
    bans: {
      replicaCount: null,
      image: { registry: 'images.example.org', repository: 'forks/bans', tag: '2.0.0' },
    },
    coupons: { image: { tag: '2.0.0', digest } },
    stores: {
      replicaCount: 5,
      initContainers: [{ ...proxy, name: 'wait', restartPolicy: 'Always' }],
      sidecars: [{ ...proxy, securityContext: { readOnlyRootFilesystem: false, runAsUser: 20_000 } }],
    },
  },
  gateway: {
    replicaCount: null,
    service: { type: 'LoadBalancer', annotations: { 'example.org/lb': 'internal' } },
    annotations: { 'example.org/owner': 'gateway' },
  },
  ingress: {
    hosts: [
      'store.example.org',
      { host: 'api.example.org', paths: ['/v1', { path: '/openapi.json', pathType: 'Exact' }] },
      { host: 'api.example.org', paths: ['/docs'] },
    ],
  },
  httpRoute: { enabled: true, hostnames: ['store.example.org'], parentRefs: [{ name: 'public' }], filters },
  pages: { httpRoute: { enabled: true, parentRefs: [{ name: 'public' }], filters } },
  metrics: {
    serviceMonitor: {
      labels: { team: 'monitoring' },
      scrapeTimeout: '20s',
      relabelings: [{ targetLabel: 'cluster', replacement: 'eu' }],
      metricRelabelings: [{ action: 'drop', sourceLabels: ['__name__'], regex: 'nodejs_.*' }],
    },
  },
  migrations: {
    nodeSelector: { pool: 'jobs' },
    podLabels: { egress: 'postgres' },
    serviceAccount: { create: true, annotations: { 'example.org/role': 'migrations' } },
  },
}

describeWithHelm('the keys that charts usually have', async () => {
  const manifest = await render('external', values)

  it('create valid objects and pods that meet the restricted Pod Security Standard', () => {
    expect(manifest.objects.flatMap(invalidFields)).toEqual([])
    // A file system may be writable in a container that is not from this chart.
    const violations = manifest.pods().flatMap(({ spec }) => podSecurityViolations(spec))
    expect(violations).toEqual(['proxy: has a writable root file system'])
  })

  it('set the number of pods of one component, or leave it to an autoscaler outside the chart', async () => {
    const counts = (one: Manifest) =>
      ['bans', 'gateway', 'stores', 'search'].map(
        (name) => one.one('Deployment', `shop-storekeep-${name}`).spec.replicas,
      )
    expect(counts(manifest)).toEqual([undefined, undefined, 5, 2])
    // The limits of the gateway are divided by its number of pods.
    expect(manifest.settings('gateway').RATE_LIMIT_REPLICAS).toBe('7')
    const none = await render('default', {
      defaults: { replicaCount: null },
      services: { stores: { replicaCount: 3 } },
    })
    expect(counts(none)).toEqual([undefined, undefined, 3, undefined])
  })

  it('of every component include its own number of pods, since Helm removes null only where the chart has a value', () => {
    const { services, gateway, pages } = readValues('values.yaml') as Record<string, Record<string, object>>
    const own = Object.values({ ...services, gateway, pages })
    expect(own.map((one) => (one as { replicaCount?: unknown }).replicaCount)).toEqual(components.map(() => ''))
  })

  it('choose the image of one component', () => {
    const images = ['bans', 'coupons', 'stores'].map((name) => manifest.container(name).image)
    expect(images).toEqual([
      'images.example.org/forks/bans:2.0.0',
      `storekeep/coupons@${digest}`,
      'storekeep/stores:0.1.0',
    ])
    expect(manifest.pod('bans').imagePullSecrets).toEqual([{ name: 'mirror' }, { name: 'own' }])
  })

  it('place all pods, including pods of Jobs', () => {
    for (const { owner, spec } of manifest.pods()) {
      const { runtimeClassName, schedulerName, dnsConfig, hostAliases } = spec
      const { defaults } = values
      expect({ owner, runtimeClassName, schedulerName, dnsConfig, hostAliases }).toEqual({
        owner,
        runtimeClassName: defaults.runtimeClassName,
        schedulerName: defaults.schedulerName,
        dnsConfig: defaults.dnsConfig,
        hostAliases: defaults.hostAliases,
      })
    }
    const [constraint] = manifest.pod('bans').topologySpreadConstraints
    expect(constraint).toMatchObject({ topologyKey: 'rack', maxSkew: 2, matchLabelKeys: [] })
    expect(constraint.labelSelector.matchLabels['app.kubernetes.io/component']).toBe('bans')
    expect(manifest.one('PodDisruptionBudget', 'shop-storekeep-bans').spec).toMatchObject({ maxUnavailable: 1 })
    expect(manifest.one('PodDisruptionBudget', 'shop-storekeep-bans').spec.minAvailable).toBeUndefined()
  })

  it('add containers with the security context of the chart unless they have a stricter one', () => {
    const { containers, initContainers } = manifest.pod('stores')
    expect(containers.map(({ name }) => name)).toEqual(['stores', 'proxy'])
    const restricted = { allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: { drop: ['ALL'] } }
    expect(initContainers).toMatchObject([
      { name: 'wait', securityContext: { ...restricted, readOnlyRootFilesystem: true } },
    ])
    const securityContext = { ...restricted, readOnlyRootFilesystem: false, runAsUser: 20_000 }
    expect(containers[1]).toMatchObject({ ...proxy, securityContext })
  })

  it('add variables that cannot override settings of the chart', () => {
    // The last source of a variable takes precedence.
    expect(manifest.container('bans').envFrom).toEqual([
      { secretRef: { name: 'extra' } },
      { configMapRef: { name: 'shop-storekeep-bans' } },
    ])
  })

  it('add labels and annotations; the most specific takes precedence', () => {
    const owners = manifest.objects.map(({ kind, metadata }) => [
      kind,
      metadata.name,
      metadata.annotations?.['example.org/owner'],
    ])
    expect(owners.filter(([, , owner]) => owner !== 'shops')).toEqual([
      ['Deployment', 'shop-storekeep-gateway', 'gateway'],
    ])
    const { metadata } = manifest.one('Deployment', 'shop-storekeep-bans').spec.template
    expect(metadata.labels).toMatchObject({ team: 'backend', tier: 'x' })
    expect(manifest.one('ServiceMonitor', 'shop-storekeep').metadata.labels?.team).toBe('monitoring')
  })

  it('expose the gateway by a load balancer, without its metrics', () => {
    const { metadata, spec } = manifest.one('Service', 'shop-storekeep-gateway')
    expect(metadata.annotations?.['example.org/lb']).toBe('internal')
    expect(spec).toMatchObject({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })
    expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual(['http'])
    const metrics = manifest.one('Service', 'shop-storekeep-gateway-metrics')
    expect(metrics.spec).toMatchObject({ clusterIP: 'None', ports: [{ name: 'metrics', port: 9464 }] })
    // The ServiceMonitor selects Services by this label.
    expect(metrics.metadata.labels?.['app.kubernetes.io/component']).toBe('gateway')
  })

  it('route hosts with their own paths, and apply filters', () => {
    const { rules } = manifest.one('Ingress', 'shop-storekeep-gateway').spec
    const routes = rules.flatMap(({ host, http }: Rule) =>
      http.paths.map(({ path, pathType }) => [host, path, pathType]),
    )
    expect(routes).toEqual([
      ['api.example.org', '/v1', 'Prefix'],
      ['api.example.org', '/openapi.json', 'Exact'],
      ['api.example.org', '/docs', 'Prefix'],
      ...['/v1', '/docs', '/openapi.json'].map((path) => ['store.example.org', path, 'Prefix']),
    ])
    for (const { spec } of manifest.all('HTTPRoute')) expect(spec.rules[0].filters).toEqual(filters)
  })

  it('configure the scrapes', () => {
    const { scrapeTimeout, relabelings, metricRelabelings } = values.metrics.serviceMonitor
    const [endpoint] = manifest.one('ServiceMonitor', 'shop-storekeep').spec.endpoints
    expect(endpoint).toMatchObject({ scrapeTimeout, relabelings, metricRelabelings })
  })

  it('place the migrations and give them a service account that exists before their Job', () => {
    const { spec, metadata } = manifest.one('Job', 'shop-storekeep-migrations').spec.template
    expect(spec.nodeSelector).toEqual({ pool: 'jobs' })
    expect(metadata.labels.egress).toBe('postgres')
    expect(spec.serviceAccountName).toBe('shop-storekeep-migrations')
    expect(manifest.one('ServiceAccount', 'shop-storekeep-migrations').metadata.annotations).toMatchObject({
      'example.org/role': 'migrations',
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-10',
    })
  })
})

describeWithHelm('the chart in an umbrella chart', () => {
  it('is enabled by a condition and uses global values', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'umbrella-'))
    try {
      await cp(chart, join(folder, 'charts/storekeep'), { recursive: true })
      const dependency = { name: 'storekeep', version: '0.1.0', alias: 'shop', condition: 'shop.enabled' }
      await writeFile(join(folder, 'Chart.yaml'), JSON.stringify({ ...umbrella, dependencies: [dependency] }))
      const own = { ...(readValues('ci/external-values.yaml') as object), 'x-anchor': {} }
      const file = join(folder, 'values.yaml')
      const templateWith = async (enabled: boolean) => {
        const global = { imageRegistry: 'mirror.example.org', imagePullSecrets: ['mirror'], region: 'eu' }
        const gateway = { settings: { TRUSTED_PROXIES: '10.0.0.0/8' } }
        await writeFile(file, JSON.stringify({ global, shop: { ...own, gateway, enabled } }))
        return runHelm('template', 'all', folder, '--namespace', 'shops', '--kube-version', newestKubernetes)
      }
      const [on, off] = [await templateWith(true), await templateWith(false)]
      expect([on.stderr, off.stdout.trim(), off.code]).toEqual(['', '', 0])
      const pod = parseManifest(on.stdout).pod('bans')
      expect(pod.containers[0]?.image).toBe('mirror.example.org/storekeep/bans:0.1.0')
      expect(pod.imagePullSecrets).toEqual([{ name: 'mirror' }])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

const umbrella = { apiVersion: 'v2', name: 'platform', version: '1.0.0' }

interface Rule {
  host: string
  http: { paths: { path: string; pathType: string }[] }
}
