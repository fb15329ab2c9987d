import { expect, it } from 'vitest'
import { calls, codeServices, components, tlsComponents } from './src/code.ts'
import { describeWithHelm } from './src/helm.ts'
import type { KubernetesObject } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name).sort()
const edgesOfCode = calls.map(({ from, to }) => `${from} → ${to}`).sort()
const redisClients = codeServices
  .filter(({ redis }) => redis)
  .map(({ name }) => name)
  .sort()

describeWithHelm('network policies', async () => {
  const external = await render('external')
  const bundled = await render('bundled')

  it('deny all traffic of every pod by default', () => {
    const { spec } = external.one('NetworkPolicy', 'shop-storekeep-default-deny')
    expect(spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'storekeep', 'app.kubernetes.io/instance': 'shop' } },
      policyTypes: ['Ingress', 'Egress'],
    })
  })

  it('allow egress for exactly the calls that the code makes', () => {
    const edges = tlsComponents.flatMap((from) =>
      peersOf(external, from, 'egress')
        .filter(({ port }) => port === 50051)
        .flatMap(({ to }) => to.map((callee) => `${from} → ${callee}`)),
    )
    expect(edges.sort()).toEqual(edgesOfCode)
  })

  it('allow ingress for exactly those calls and the test pod', () => {
    const edges = components.flatMap((callee) =>
      peersOf(external, callee, 'ingress')
        .filter(({ port }) => port === 'grpc')
        .flatMap(({ to }) => to.map((from) => `${from} → ${callee}`)),
    )
    expect(edges.sort()).toEqual([...edgesOfCode, 'test → stores'].sort())
  })

  it.each(services)('allow %s to reach Postgres, NATS and, if it uses it, Redis', (service) => {
    const servers = rulesOf(external, service, 'egress').filter(({ to }) => !isPods(to))
    const redis = redisClients.includes(service) ? [6379] : []
    const internet = ['customers', 'checkout', 'orders', 'webhooks', 'images'].includes(service) ? [443] : []
    const smtp = service === 'emails' ? [465, 587] : []
    const ports = servers.flatMap((rule) => rule.ports.map(({ port }) => port))
    expect(ports).toEqual([6432, 4222, ...redis, ...internet, ...smtp])
    expect(servers[0]?.to).toEqual([{ ipBlock: { cidr: '10.1.0.0/24' } }])
  })

  it('allow the gateway to reach Redis but no database', () => {
    const servers = rulesOf(external, 'gateway', 'egress').filter(({ to }) => !isPods(to))
    expect(servers.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([6379])
  })

  it('allow the pages to call services only', () => {
    expect(rulesOf(external, 'pages', 'egress').filter(({ to }) => !isPods(to))).toEqual([])
  })

  it('allow the admin tools to call services only, and no ingress', () => {
    const { spec } = external.one('NetworkPolicy', 'shop-storekeep-admin-tools')
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec.ingress).toBeUndefined()
    expect(rulesOf(external, 'admin-tools', 'egress').filter(({ to }) => !isPods(to))).toEqual([])
  })

  it('allow internet access only to orders, webhooks, images and customers with a profile provider, and not to private networks', async () => {
    for (const name of ['customers', 'orders', 'webhooks', 'images']) {
      const [rule] = rulesOf(external, name, 'egress').filter(({ ports }) => ports[0]?.port === 443)
      expect(rule?.to).toEqual([
        { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } },
      ])
    }
    const withoutProvider = await render('external', {
      services: { customers: { settings: { PROFILE_PROVIDERS: '' } } },
    })
    expect(rulesOf(withoutProvider, 'customers', 'egress').filter(({ ports }) => ports[0]?.port === 443)).toEqual([])
  })

  it('allow emails to reach SMTP servers on the internet, or only the server in networkPolicy.smtp.to', async () => {
    const [anywhere] = rulesOf(external, 'emails', 'egress').filter(({ ports }) => ports[0]?.port === 465)
    expect(anywhere?.to).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } },
    ])
    const to = [{ ipBlock: { cidr: '10.1.0.9/32' } }]
    const manifests = await render('external', { networkPolicy: { smtp: { ports: [25], to } } })
    const [relay] = rulesOf(manifests, 'emails', 'egress').filter(({ ports }) => ports[0]?.port === 25)
    expect(relay).toEqual({ ports: [{ port: 25, protocol: 'TCP' }], to })
  })

  it('allow webhooks to more ports and to the private networks that WEBHOOKS_ALLOWED_NETWORKS names', async () => {
    const manifests = await render('external', {
      services: { webhooks: { settings: { WEBHOOKS_ALLOWED_NETWORKS: '10.7.0.0/16, fd00::1,192.0.2.4' } } },
      networkPolicy: { internet: { webhookPorts: [443, 8443] } },
    })
    const [rule] = rulesOf(manifests, 'webhooks', 'egress').filter(({ ports }) => ports[0]?.port === 443)
    expect(rule?.ports.map(({ port }) => port)).toEqual([443, 8443])
    const [internet, ...networks] = rule?.to ?? []
    expect(internet).toMatchObject({ ipBlock: { cidr: '0.0.0.0/0' } })
    expect(networks).toEqual(['10.7.0.0/16', 'fd00::1/128', '192.0.2.4/32'].map((cidr) => ({ ipBlock: { cidr } })))
    const [ofOrders] = rulesOf(manifests, 'orders', 'egress').filter(({ ports }) => ports[0]?.port === 443)
    expect(ofOrders).toMatchObject({ ports: [{ port: 443 }], to: [{}] })
  })

  it('allow images from the private networks that IMAGES_ALLOWED_NETWORKS names', async () => {
    const manifests = await render('external', {
      services: { images: { settings: { IMAGES_ALLOWED_NETWORKS: '10.8.0.0/16' } } },
    })
    const [rule] = rulesOf(manifests, 'images', 'egress').filter(({ ports }) => ports[0]?.port === 443)
    expect(rule?.to?.[1]).toEqual({ ipBlock: { cidr: '10.8.0.0/16' } })
    const [ofWebhooks] = rulesOf(manifests, 'webhooks', 'egress').filter(({ ports }) => ports[0]?.port === 443)
    expect(ofWebhooks?.to).toHaveLength(1)
  })

  it('allow every pod to reach the cluster DNS only', () => {
    const { egress } = external.one('NetworkPolicy', 'shop-storekeep-common-egress').spec
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

  it('allow only gatewayFrom and the test pod to call the gateway', () => {
    const [rule, ...others] = rulesOf(external, 'gateway', 'ingress')
    expect(others.map(({ ports }) => ports)).toEqual([[{ port: 'metrics', protocol: 'TCP' }]])
    expect(rule?.ports).toEqual([{ port: 'http', protocol: 'TCP' }])
    expect(rule?.from).toHaveLength(2)
    expect(rule?.from?.[0]).toMatchObject({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } },
    })
  })

  it('allow only gatewayFrom to call the pages, or pagesFrom if set', async () => {
    const sources = (manifest: Manifest) => rulesOf(manifest, 'pages', 'ingress')[0]
    const http = [{ port: 'http', protocol: 'TCP' }]
    const ingress = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }
    expect(sources(external)).toEqual({ ports: http, from: [ingress] })
    const pagesFrom = [{ ipBlock: { cidr: '10.2.0.0/16' } }]
    const own = await render('external', { networkPolicy: { pagesFrom } })
    expect(sources(own)).toEqual({ ports: http, from: pagesFrom })
  })

  it.each(['gateway', 'pages'])('allow any source to call the %s if gatewayFrom is empty', async (name) => {
    const [rule] = rulesOf(await render('default'), name, 'ingress')
    expect(rule).toEqual({ ports: [{ port: 'http', protocol: 'TCP' }] })
  })

  it.each(components)('allow metricsFrom to scrape %s and nothing else', (service) => {
    const rules = rulesOf(external, service, 'ingress').filter(({ from }) => isPrometheus(from))
    expect(rules).toEqual([
      {
        ports: [{ port: 'metrics', protocol: 'TCP' }],
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      },
    ])
  })

  it.each(components)('block scrapes of %s if metricsFrom is empty', async (service) => {
    const ports = rulesOf(await render('default'), service, 'ingress').flatMap((rule) =>
      rule.ports.map(({ port }) => port),
    )
    expect(ports).toEqual([service === 'gateway' || service === 'pages' ? 'http' : 'grpc'])
  })

  it('allow only migrations to reach Postgres past a pooler', async () => {
    const manifest = await render('external', { networkPolicy: { postgres: { migrationsPort: 5432 } } })
    const { spec } = manifest.one('NetworkPolicy', 'shop-storekeep-migrations')
    expect(spec.egress.flatMap(({ ports }: Rule) => ports.map(({ port }) => port))).toEqual([53, 53, 6432, 5432])
    for (const name of services) {
      const ports = rulesOf(manifest, name, 'egress').flatMap((rule) => rule.ports.map(({ port }) => port))
      expect([ports.includes(6432), ports.includes(5432)]).toEqual([true, false])
    }
  })

  it('allow only the clients of Redis to reach its sentinels', async () => {
    const manifest = await render('external', { networkPolicy: { redis: { sentinelPort: 26_379 } } })
    const reaching = components.filter((name) =>
      rulesOf(manifest, name, 'egress').some(({ ports }) => ports.some(({ port }) => port === 26_379)),
    )
    expect([...reaching].sort()).toEqual([...redisClients, 'gateway'].sort())
  })

  it('allow migrations to reach only Postgres and DNS', () => {
    const { spec } = external.one('NetworkPolicy', 'shop-storekeep-migrations')
    expect(spec.ingress).toBeUndefined()
    expect(spec.egress.flatMap(({ ports }: Rule) => ports.map(({ port }) => port))).toEqual([53, 53, 6432])
  })

  it.each([
    ['postgres', [...services, 'migrations']],
    ['nats', services],
    ['redis', [...redisClients, 'gateway']],
  ])('allow only its clients to reach the bundled %s, and no egress', (server, clients) => {
    const { spec } = bundled.one('NetworkPolicy', `shop-storekeep-${server}`)
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec.egress).toBeUndefined()
    expect(spec.ingress[0].from[0].podSelector.matchExpressions[0].values).toEqual(clients)
    const port = { postgres: 5432, nats: 4222, redis: 6379 }[server]
    const reaching = [...components].filter((from) =>
      peersOf(bundled, from, 'egress').some((peer) => peer.port === port && peer.to.includes(server)),
    )
    expect(reaching.sort()).toEqual(clients.filter((name) => name !== 'migrations').sort())
  })

  it('include extraEgress', async () => {
    const extra = { ports: [{ port: 4318 }], to: [{ podSelector: {} }] }
    const manifest = await render('default', { networkPolicy: { extraEgress: [extra] } })
    expect(manifest.one('NetworkPolicy', 'shop-storekeep-common-egress').spec.egress).toContainEqual(extra)
  })

  it('can be disabled', async () => {
    expect((await render('minimal')).all('NetworkPolicy')).toEqual([])
  })
})

function rulesOf(manifest: Manifest, component: string, direction: 'ingress' | 'egress'): Rule[] {
  return manifest.one('NetworkPolicy', `shop-storekeep-${component}`).spec[direction]
}

/** The components in the peers of each rule. */
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
