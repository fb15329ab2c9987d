import { expect, it } from 'vitest'
import { calls, codeServices, components, configReader } from './src/code.ts'
import { chart, describeWithHelm, runHelm } from './src/helm.ts'
import { invalidFields } from './src/invalid-fields.ts'
import type { KubernetesObject } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { podSecurityViolations } from './src/pod-security.ts'
import { newestKubernetes, oldestKubernetes, parseManifest, render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)
const calledBy = { gateway: namesCalledBy('gateway'), pages: namesCalledBy('pages') }
const monitoring = ['metrics.serviceMonitor.enabled=true', 'metrics.prometheusRule.enabled=true']
const scraped = 'networkPolicy.metricsFrom[0].podSelector.matchLabels.app=prometheus'
const tls = ['tls.enabled=true', 'tls.certManager.enabled=true', 'tls.certManager.issuerRef.name=ca']
const addresses = Object.fromEntries(
  services.map((name, index) => [name, `${name}.cell-2.example.org:${6000 + index}`]),
)

describeWithHelm('two cells', async () => {
  const values = [...monitoring, scraped, ...tls]
  const first = await install('shop', 'shops', 'cell-0', values)
  const second = await install('shop-1', 'shops-1', 'cell-1', values)

  it('are releases of valid objects: the first with the gateway and the pages, the second with services alone', async () => {
    expect(deployed(first)).toEqual([...components, 'admin-tools'].sort())
    expect(deployed(second)).toEqual([...services, 'admin-tools'].sort())
    expect(second.all('Pod').concat(second.all('Ingress'))).toEqual([])
    const oldest = await install('shop-1', 'shops-1', 'cell-1', [], oldestKubernetes)
    for (const manifest of [first, second, oldest]) {
      expect(manifest.objects.filter(isPlain).flatMap(invalidFields)).toEqual([])
      for (const { spec } of manifest.pods()) expect(podSecurityViolations(spec)).toEqual([])
    }
  })

  it('give every process and migration of a cell its number', () => {
    const job = second.one('Job', 'shop-1-storekeep-migrations').spec.template.spec
    for (const { env } of job.containers) expect(env).toContainEqual({ name: 'CELL', value: '1' })
    for (const name of services) {
      expect([name, second.settings(name).CELL]).toEqual([name, '1'])
      expect([name, first.settings(name).CELL]).toEqual([name, '0'])
    }
  })

  it('are administered by the admin tools of their release', async () => {
    const read = await configReader('admin-tools')
    for (const [cell, manifest] of [first, second].entries()) {
      const settings = { ...manifest.settings('admin-tools'), CALL_KEYS: `admin-tools:stores=${'A'.repeat(43)}` }
      const { cells } = read(settings) as { cells: ReadonlyMap<number, { stores: string }> }
      expect([...cells.keys()]).toEqual([cell])
      expect(cells.get(cell)?.stores).toContain(`/${cell === 0 ? 'shop' : 'shop-1'}-storekeep-stores`)
    }
  })

  it('are listed for the gateway and the pages, with the addresses of their Services', () => {
    for (const name of ['gateway', 'pages'] as const) {
      const settings = first.settings(name)
      expect(settings.CELLS).toBe('0,1')
      const called = Object.entries(settings).filter(([setting]) => setting.startsWith('CELL_1_'))
      for (const [setting, address] of called) {
        const own = settings[setting.replace('CELL_1_', '')] ?? ''
        const component = /storekeep-(.+):/.exec(own)?.[1]
        expect(own).toBe(`dns:///shop-storekeep-${component}:50051`)
        expect(address).toBe(`dns:///shop-1-storekeep-${component}.shops-1.svc:50051`)
        const { spec } = second.one('Service', `shop-1-storekeep-${component}`)
        expect(spec.ports).toContainEqual(expect.objectContaining({ port: 50051 }))
      }
      expect(called).toHaveLength(calledBy[name].length)
    }
  })

  it('let the gateway and the pages of the one release reach the services of the other, and nothing else', () => {
    for (const caller of ['gateway', 'pages'] as const) {
      const remote = rulesOf(first, `shop-storekeep-${caller}`, 'egress')
        .flatMap(({ to }) => to ?? [])
        .filter(
          ({ namespaceSelector }) => namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] === 'shops-1',
        )
      const reached = services.filter((name) => remote.some(({ podSelector }) => matches(podSelector, second, name)))
      const admitting = services.filter((name) =>
        rulesOf(second, `shop-1-storekeep-${name}`, 'ingress')
          .flatMap(({ from }) => from ?? [])
          .some((peer) => isNamespace(peer, 'shops') && matches(peer.podSelector, first, caller)),
      )
      const called = calledBy[caller]
      expect([caller, reached.sort(), admitting.sort()]).toEqual([caller, [...called].sort(), [...called].sort()])
    }
    const others = ['bans', 'admin-tools']
    for (const name of services) {
      const peers = rulesOf(second, `shop-1-storekeep-${name}`, 'ingress').flatMap(({ from }) => from ?? [])
      const remote = peers.filter((peer) => isNamespace(peer, 'shops'))
      for (const other of others)
        expect(remote.some(({ podSelector }) => matches(podSelector, first, other))).toBe(false)
    }
  })

  it('recognize each other by certificates that are valid for these names', () => {
    const certificates = [first, second].flatMap((manifest) =>
      manifest.all('Certificate').map(({ spec }): string[] => spec.dnsNames),
    )
    const isValid = (host: string) => certificates.some((names) => names.includes(host))
    const hosts = Object.values(first.settings('gateway')).flatMap((value) => /^dns:\/\/\/(.+):/.exec(value)?.[1] ?? [])
    expect(hosts).toHaveLength(2 * calledBy.gateway.length)
    expect(hosts.filter((host) => !isValid(host))).toEqual([])
    const callers =
      second
        .settings('stores')
        .GRPC_TLS_CALLERS?.split(',')
        .map((entry) => entry.split('=')) ?? []
    expect(callers.map(([name]) => name).sort()).toEqual([
      ...['admin-tools', 'checkout', 'customers', 'emails', 'gateway', 'pages'],
    ])
    expect(callers.find(([name]) => name === 'gateway')).toEqual(['gateway', 'shop-storekeep-gateway.shops.svc'])
    expect(callers.filter(([, host = '']) => !isValid(host))).toEqual([])
  })

  it('have alerts on the missing processes of their release only', () => {
    expect(absentOf(first)).toEqual([...components].sort())
    expect(absentOf(second)).toEqual([...services].sort())
  })
})

describeWithHelm('the gateway and the pages', () => {
  it('may run in a release without services, which then has no migrations, admin tools or tests', async () => {
    const cells = [
      { cell: 0, release: 'storekeep-0' },
      { cell: 12, release: 'twelve', namespace: 'far', fullnameOverride: 'far' },
    ]
    const manifest = await render('external', { cell: 'none', cells })
    expect(deployed(manifest)).toEqual(['gateway', 'pages'])
    expect(manifest.all('Job').concat(manifest.all('Pod'))).toEqual([])
    expect(absentOf(manifest)).toEqual(['gateway', 'pages'])
    expect(JSON.stringify(manifest.all('PrometheusRule'))).not.toContain('absent(outbox_')
    expect(manifest.settings('gateway')).toMatchObject({
      CELLS: '0,12',
      BANS_ADDRESS: 'dns:///storekeep-0-bans.shops.svc:50051',
      CELL_12_BANS_ADDRESS: 'dns:///far-bans.far.svc:50051',
    })
  })

  it('may reach a cell at explicit addresses, at these ports and destinations only', async () => {
    const to = [{ ipBlock: { cidr: '10.9.0.0/16' } }]
    const manifest = await render('default', { cells: [{ cell: 2, addresses, to }] })
    expect(manifest.settings('gateway')).toMatchObject({ CELLS: '0,2', CELL_2_BANS_ADDRESS: addresses.bans })
    const rules = rulesOf(manifest, 'shop-storekeep-pages', 'egress').filter(({ to: peers }) =>
      peers?.some(({ ipBlock }) => ipBlock?.cidr === '10.9.0.0/16'),
    )
    const ports = calledBy.pages.map((name) => 6000 + services.indexOf(name))
    expect(rules.flatMap(({ ports: opened }) => opened.map(({ port }) => port)).sort()).toEqual(ports.sort())
  })

  it('have one cell by default, with the addresses that have no number', async () => {
    const settings = Object.entries((await render('default')).settings('gateway'))
    expect(settings.filter(([name]) => name.startsWith('CELL'))).toEqual([['CELLS', '0']])
  })
})

function namesCalledBy(caller: string): string[] {
  return calls.filter(({ from }) => from === caller).map(({ to }) => to)
}

async function install(release: string, namespace: string, example: string, set: string[], kube = newestKubernetes) {
  const flags = ['--namespace', namespace, '--kube-version', kube, '-f', `examples/${example}-values.yaml`]
  const settings = set.flatMap((one) => ['--set', one])
  const { stdout, stderr } = await runHelm('template', release, chart, ...flags, ...settings)
  expect(stderr).toBe('')
  return parseManifest(stdout)
}

/** The components of the Deployments. */
function deployed(manifest: Manifest): string[] {
  return manifest
    .all('Deployment')
    .map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] ?? '')
    .sort()
}

/** The processes whose absence raises an alert. */
function absentOf(manifest: Manifest): string[] {
  const rules = JSON.stringify(manifest.all('PrometheusRule'))
  expect(rules).not.toMatch(/"expr":"(\s*or|absent[^"]*or\s*")/)
  return [...rules.matchAll(/absent\(process_start_time_seconds\{[^}]*service=\\"([^"\\]+)/g)]
    .map(([, name = '']) => name)
    .sort()
}

/** Custom resources have no published types. */
function isPlain({ apiVersion }: KubernetesObject): boolean {
  return !/^(monitoring\.coreos\.com|cert-manager\.io)/.test(apiVersion)
}

function rulesOf(manifest: Manifest, name: string, direction: 'ingress' | 'egress'): Rule[] {
  return manifest.one('NetworkPolicy', name).spec[direction]
}

function isNamespace({ namespaceSelector }: Peer, name: string): boolean {
  return namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] === name
}

/** Whether a selector selects the pods of a component. */
function matches(selector: Peer['podSelector'], manifest: Manifest, component: string): boolean {
  const pod = manifest.all('Deployment').find(({ metadata }) => metadata.name.endsWith(`-${component}`))
  const labels: Record<string, string> = pod?.spec.template.metadata.labels ?? {}
  return (
    selector !== undefined &&
    Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value) &&
    (selector.matchExpressions ?? []).every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}

interface Rule {
  ports: { port: number | string }[]
  from?: Peer[]
  to?: Peer[]
}

interface Peer {
  ipBlock?: { cidr: string }
  namespaceSelector?: { matchLabels?: Record<string, string> }
  podSelector?: {
    matchLabels?: Record<string, string>
    matchExpressions?: { key: string; values: string[] }[]
  }
}
