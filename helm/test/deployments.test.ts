import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { calls, codeServices, components } from './src/code.ts'
import { evaluate } from './src/evaluate.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { oldestKubernetes, render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)
const images = [...components, 'admin-tools']

describeWithHelm('the Deployments', async () => {
  const usual = await render('default')
  const old = await render('default', {}, { kubeVersion: oldestKubernetes })
  const ha = await render('ha')

  it('belong to one Deployment for each service, the gateway, the pages and the admin tools', () => {
    expect(usual.names('Deployment')).toEqual(images.map((name) => `shop-storekeep-${name}`).sort())
  })

  it.each(services)('pods of %s run its bundle, with gRPC readiness and HTTP liveness probes', (name) => {
    const container = usual.container(name)
    expect(container.command).toEqual(['node', 'main.js'])
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
    expect(container.readinessProbe.grpc).toEqual({ port: 50051 })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
    expect(container.ports).toEqual([
      { name: 'grpc', containerPort: 50051 },
      { name: 'metrics', containerPort: 9464 },
    ])
  })

  it('pods of the gateway run its bundle, with HTTP probes', () => {
    const container = usual.container('gateway')
    expect(container.command).toEqual(['node', 'main.js'])
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9464 },
    ])
    expect(usual.settings('gateway').METRICS_PORT).toBe('9464')
  })

  it('pods of the pages run its bundle; probes use the port that is not public', () => {
    const container = usual.container('pages')
    expect(container.command).toEqual(['node', 'main.js'])
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'metrics' })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'metrics' })
    expect(container.ports).toEqual([
      { name: 'http', containerPort: 8081 },
      { name: 'metrics', containerPort: 9464 },
    ])
  })

  it.each(components)(
    'pods of %s have five minutes to start and are restarted only after 30 seconds without a response',
    (name) => {
      const { startupProbe, livenessProbe } = usual.container(name)
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(300)
      expect(livenessProbe.periodSeconds * livenessProbe.failureThreshold).toBeGreaterThanOrEqual(30)
    },
  )

  it.each(components)('pods of %s sleep before they terminate, if Kubernetes supports it', (name) => {
    expect(usual.container(name).lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } })
    expect(old.container(name).lifecycle).toBeUndefined()
  })

  it.each(['gateway', 'pages'])('pods of the %s implement the wait on older versions of Kubernetes', (name) => {
    expect(usual.settings(name).SHUTDOWN_DELAY_MS).toBe('2000')
    expect(old.settings(name).SHUTDOWN_DELAY_MS).toBe('7000')
  })

  it.each([
    ['stores', 5 + 20],
    ['gateway', 5 + 2 + 15],
    ['pages', 5 + 2 + 15],
  ])('pods of %s have a grace period of all shutdown steps plus ten seconds', async (name, seconds) => {
    expect(usual.pod(name).terminationGracePeriodSeconds).toBe(seconds + 10)
    const settings = { SHUTDOWN_GRACE_MS: 61_500 }
    const values = {
      serviceSettings: settings,
      gateway: { settings },
      pages: { settings },
      defaults: { preStopSeconds: 9 },
    }
    const component = `(include "storekeep.component" (dict "root" $root "name" "${name}") | fromJson)`
    const all = `(include "storekeep.settings" (dict "root" $root "component" ${component}) | fromJson)`
    const context = `(dict "root" $root "component" ${component} "settings" ${all})`
    const added = 9 - 5 + Math.ceil(name === 'stores' ? 61.5 - 20 : 61.5 - 15)
    expect(await evaluate([{ values, expression: `include "storekeep.gracePeriodSeconds" ${context}` }])).toEqual([
      String(seconds + 10 + added),
    ])
  })

  it('have fractional settings in plain decimal notation', async () => {
    const settingText = (value: string) => `include "storekeep.settingText" (float64 "${value}")`
    const values = ['0.1', '0.00001', '0', '1', '12000000']
    expect(await evaluate(values.map((value) => ({ values: {}, expression: settingText(value) })))).toEqual(values)
  })

  it('have a shorter grace period on older versions of Kubernetes', () => {
    expect(old.pod('stores').terminationGracePeriodSeconds).toBe(30)
    expect(old.pod('gateway').terminationGracePeriodSeconds).toBe(32)
  })

  it('pods of all kinds, including migrations and `helm test`, use the node selector and tolerations of the defaults', async () => {
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
    'pods of %s are selected by exactly their Deployment, Service and PodDisruptionBudget',
    (name) => {
      const { selector, template } = usual.one('Deployment', `shop-storekeep-${name}`).spec
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
      expect(selector.matchLabels['app.kubernetes.io/component']).toBe(name)
      expect(usual.one('Service', `shop-storekeep-${name}`).spec.selector).toEqual(selector.matchLabels)
      expect(usual.one('PodDisruptionBudget', `shop-storekeep-${name}`).spec.selector).toEqual(selector)
    },
  )

  it.each(services)('pods of %s have a headless Service for client-side load balancing', (name) => {
    const { spec } = usual.one('Service', `shop-storekeep-${name}`)
    expect(spec.clusterIP).toBe('None')
    expect(spec.ports[0]).toEqual({ name: 'grpc', port: 50051, targetPort: 'grpc', appProtocol: 'grpc' })
    const caller = name === 'images' ? 'pages' : 'gateway'
    expect(usual.settings(caller)[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`]).toBe(
      `dns:///shop-storekeep-${name}:50051`,
    )
  })

  it.each(['gateway', 'pages'])('pods of the %s have a cluster IP', (name) => {
    const { spec } = usual.one('Service', `shop-storekeep-${name}`)
    expect(spec).toMatchObject({
      type: 'ClusterIP',
      ports: [
        { port: 80, targetPort: 'http' },
        { port: 9464, targetPort: 'metrics' },
      ],
    })
    expect(spec.clusterIP).toBeUndefined()
  })

  it('restart only if one of their settings or secrets changes', async () => {
    const same = await render('default', {}, { isUpgrade: true })
    const setting = await render('default', { services: { bans: { settings: { LOG_LEVEL: 'warn' } } } })
    const secret = await render('default', {
      services: { stores: { secrets: { ENCRYPTION_KEY: { value: 'F'.repeat(43) } } } },
    })
    expect(changedPods(usual, same)).toEqual([])
    expect(changedPods(usual, setting)).toEqual(['bans'])
    expect(changedPods(usual, secret)).toEqual(['stores'])
  })

  it('restart if their callers change, whose keys they read on startup', async () => {
    const without = await render('default', { adminTools: { enabled: false }, tests: { enabled: false } })
    expect(changedPods(without, usual).sort()).toEqual(
      calls.flatMap(({ from, to }) => (from === 'admin-tools' ? to : [])).sort(),
    )
  })

  it.each(components)('pods of %s use the defaults', (name) => {
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

  it('merge the values of a component into the defaults', () => {
    expect(ha.container('gateway').resources).toEqual({
      requests: { cpu: '750m', memory: '160Mi' },
      limits: { memory: '384Mi' },
    })
    expect(ha.container('stores').resources.requests.cpu).toBe('500m')
    expect(ha.pod('bans').affinity.nodeAffinity).toBeDefined()
    expect(ha.pod('stores').affinity).toBeUndefined()
  })

  it('can override a default with zero or an empty list', async () => {
    const none = {
      replicaCount: 0,
      podDisruptionBudget: { enabled: false },
      preStopSeconds: 0,
      topologySpreadConstraints: [],
    }
    const manifest = await render('default', { services: { bans: none } })
    expect(manifest.one('Deployment', 'shop-storekeep-bans').spec.replicas).toBe(0)
    expect(manifest.names('PodDisruptionBudget')).not.toContain('shop-storekeep-bans')
    expect(manifest.container('bans').lifecycle).toBeUndefined()
    expect(manifest.pod('bans').topologySpreadConstraints).toBeUndefined()
  })

  it('have a service account without permissions or token', () => {
    expect(usual.one('ServiceAccount', 'shop-storekeep').automountServiceAccountToken).toBe(false)
    expect(usual.pod('stores')).toMatchObject({
      serviceAccountName: 'shop-storekeep',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    })
    expect([...usual.all('Role'), ...usual.all('RoleBinding'), ...usual.all('ClusterRole')]).toEqual([])
  })

  it('use the configured user and groups', async () => {
    const manifest = await render('default', { security: { runAsUser: 20_000, runAsGroup: 20_001, fsGroup: 20_002 } })
    expect(manifest.pod('stores').securityContext).toMatchObject({
      runAsUser: 20_000,
      runAsGroup: 20_001,
      fsGroup: 20_002,
    })
  })
})

describeWithHelm('the admin tools', () => {
  it('run an idle process whose only secret proves its calls, and which exits on SIGTERM', async () => {
    const manifest = await render('default')
    const { command, env } = manifest.container('admin-tools')
    expect(env?.flatMap(({ name, valueFrom }) => (valueFrom ? [name] : []))).toEqual(['CALL_KEYS'])
    const [, flag = '', script = ''] = command ?? []
    const child = spawn(process.execPath, [flag, `${script}; console.log('ready')`])
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code, signal] = await once(child, 'exit')
    expect([code, signal]).toEqual([0, null])
  })

  it('can be disabled together with the test pod', async () => {
    const manifest = await render('minimal')
    expect(manifest.objects.filter(({ metadata }) => metadata.name.includes('admin-tools'))).toEqual([])
  })
})

describeWithHelm('object names', () => {
  it('follow nameOverride and fullnameOverride', async () => {
    const variants = [{}, { nameOverride: 'sk' }, { fullnameOverride: 'shops' }]
    const expression = 'include "storekeep.fullname" $root'
    const names = await evaluate(variants.map((values) => ({ values, expression })))
    expect(names).toEqual(['shop-storekeep', 'shop-sk', 'shops'])
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
