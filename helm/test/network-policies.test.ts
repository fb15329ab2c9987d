import { beforeAll, describe, expect, it } from 'vitest'
import { calls, codeServices, components } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { KubernetesObject } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name).sort()
const callLines = calls.map(({ from, to }) => `${from} → ${to}`).sort()
const redisUsers = codeServices
  .filter(({ redis }) => redis)
  .map(({ name }) => name)
  .sort()

describe.skipIf(whyNoHelm)(`network policies (${whyNoHelm ?? 'by Helm'})`, () => {
  let external: Manifest
  let bundled: Manifest

  beforeAll(async () => {
    external = await render('external')
    bundled = await render('bundled')
  })

  it('refuse everything, both ways, to every pod of the release', () => {
    const { spec } = external.one('NetworkPolicy', 'shop-storekeep-default-deny')
    expect(spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'storekeep', 'app.kubernetes.io/instance': 'shop' } },
      policyTypes: ['Ingress', 'Egress'],
    })
  })

  it('let out exactly the calls that the code makes', () => {
    const made = components.flatMap((from) =>
      peersOf(external, from, 'egress')
        .filter(({ port }) => port === 50051)
        .flatMap(({ to }) => to.map((callee) => `${from} → ${callee}`)),
    )
    expect(made.sort()).toEqual(callLines)
  })

  it('let in exactly those calls, and the test of Helm', () => {
    const taken = components.flatMap((callee) =>
      peersOf(external, callee, 'ingress')
        .filter(({ port }) => port === 'grpc')
        .flatMap(({ to }) => to.map((from) => `${from} → ${callee}`)),
    )
    expect(taken.sort()).toEqual([...callLines, 'test → stores'].sort())
  })

  it.each(services)('let %s reach Postgres, NATS and, if it uses it, Redis, and no other server', (service) => {
    const servers = rulesOf(external, service, 'egress').filter(({ to }) => !isPods(to))
    const redis = redisUsers.includes(service) ? [6379] : []
    const internet = service === 'customers' ? [443] : []
    expect(servers.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([6432, 4222, ...redis, ...internet])
    expect(servers[0]?.to).toEqual([{ ipBlock: { cidr: '10.1.0.0/24' } }])
  })

  it('let the gateway reach Redis and no database', () => {
    const servers = rulesOf(external, 'gateway', 'egress').filter(({ to }) => !isPods(to))
    expect(servers.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([6379])
  })

  it('let nobody out into the world but customers, and that only with a provider, and never to private networks', async () => {
    const [rule] = rulesOf(external, 'customers', 'egress').filter(({ ports }) => ports[0]?.port === 443)
    expect(rule?.to).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } },
    ])
    const alone = await render('external', { services: { customers: { settings: { PROFILE_PROVIDERS: '' } } } })
    expect(rulesOf(alone, 'customers', 'egress').filter(({ ports }) => ports[0]?.port === 443)).toEqual([])
  })

  it('let every pod resolve names, and by the names of the cluster only', () => {
    const { egress } = external.one('NetworkPolicy', 'shop-storekeep-everyone').spec
    expect(egress).toEqual([
      {
        ports: [
          { port: 53, protocol: 'UDP' },
          { port: 53, protocol: 'TCP' },
        ],
        to: [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      },
    ])
  })

  it('let only the proxy and the test of Helm call the gateway', () => {
    const [rule, ...others] = rulesOf(external, 'gateway', 'ingress')
    expect(others.map(({ ports }) => ports)).toEqual([[{ port: 'metrics', protocol: 'TCP' }]])
    expect(rule?.ports).toEqual([{ port: 'http', protocol: 'TCP' }])
    expect(rule?.from).toHaveLength(2)
    expect(rule?.from?.[0]).toMatchObject({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
    })
  })

  it('let everyone call the gateway where nobody is named', async () => {
    const [rule] = rulesOf(await render('default'), 'gateway', 'ingress')
    expect(rule).toEqual({ ports: [{ port: 'http', protocol: 'TCP' }] })
  })

  it.each(components)('let Prometheus read the metrics of %s, and nothing else', (service) => {
    const rules = rulesOf(external, service, 'ingress').filter(({ from }) => isPrometheus(from))
    expect(rules).toEqual([
      {
        ports: [{ port: 'metrics', protocol: 'TCP' }],
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      },
    ])
  })

  it.each(components)('let nobody read the metrics of %s unless somebody is named', async (service) => {
    const ports = rulesOf(await render('default'), service, 'ingress').flatMap((rule) =>
      rule.ports.map(({ port }) => port),
    )
    expect(ports).toEqual([service === 'gateway' ? 'http' : 'grpc'])
  })

  it('let the migrations reach Postgres and names, and let nobody in', () => {
    const { spec } = external.one('NetworkPolicy', 'shop-storekeep-migrations')
    expect(spec.ingress).toBeUndefined()
    expect(spec.egress.flatMap(({ ports }: Rule) => ports.map(({ port }) => port))).toEqual([53, 53, 6432])
  })

  it.each([
    ['postgres', [...services, 'migrations']],
    ['nats', services],
    ['redis', [...redisUsers, 'gateway']],
  ])('let those that use the bundled %s reach it, and nobody else, and it nobody', (server, users) => {
    const { spec } = bundled.one('NetworkPolicy', `shop-storekeep-${server}`)
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec.egress).toBeUndefined()
    expect(spec.ingress[0].from[0].podSelector.matchExpressions[0].values).toEqual(users)
    const port = { postgres: 5432, nats: 4222, redis: 6379 }[server]
    const reaching = [...components].filter((from) =>
      peersOf(bundled, from, 'egress').some((peer) => peer.port === port && peer.to.includes(server)),
    )
    expect(reaching.sort()).toEqual(users.filter((name) => name !== 'migrations').sort())
  })

  it('can be added to', async () => {
    const extra = { ports: [{ port: 4318 }], to: [{ podSelector: {} }] }
    const manifest = await render('default', { networkPolicy: { extraEgress: [extra] } })
    expect(manifest.one('NetworkPolicy', 'shop-storekeep-everyone').spec.egress).toContainEqual(extra)
  })

  it('are all left out where they are switched off', async () => {
    expect((await render('minimal')).all('NetworkPolicy')).toEqual([])
  })
})

function rulesOf(manifest: Manifest, component: string, direction: 'ingress' | 'egress'): Rule[] {
  return manifest.one('NetworkPolicy', `shop-storekeep-${component}`).spec[direction]
}

/** The pods of ours on the other side, by rule. */
function peersOf(
  manifest: Manifest,
  component: string,
  direction: 'ingress' | 'egress',
): { port: unknown; to: string[] }[] {
  return rulesOf(manifest, component, direction).map(({ ports, from, to }) => ({
    port: ports[0]?.port,
    to: (from ?? to ?? []).flatMap(({ podSelector }) => podSelector?.matchExpressions?.[0].values ?? []),
  }))
}

function isPods(peers: Rule['to']): boolean {
  return peers?.some(({ podSelector }) => podSelector?.matchExpressions) ?? false
}

function isPrometheus(peers: Rule['from']): boolean {
  return (
    peers?.some(({ namespaceSelector: { matchLabels } = {} }) =>
      Object.values(matchLabels ?? {}).includes('monitoring'),
    ) ?? false
  )
}

interface Rule {
  ports: { port: number | string }[]
  from?: KubernetesObject[]
  to?: KubernetesObject[]
}
