import { expect, it } from 'vitest'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

describeWithHelm('public access', async () => {
  const external = await render('external')
  const ha = await render('ha')

  it('is disabled by default', async () => {
    const manifest = await render('default')
    expect([...manifest.all('Ingress'), ...manifest.all('HTTPRoute')]).toEqual([])
  })

  it('routes an Ingress to the gateway, with its class and certificate', () => {
    const { spec } = external.one('Ingress', 'shop-storekeep-gateway')
    expect(spec.ingressClassName).toBe('nginx')
    expect(spec.tls).toEqual([{ secretName: 'store-tls', hosts: ['store.example.org'] }])
    expect(spec.rules.map(({ host }: { host: string }) => host)).toEqual(['store.example.org'])
    for (const { backend } of spec.rules[0].http.paths) {
      expect(backend.service).toEqual({ name: 'shop-storekeep-gateway', port: { name: 'http' } })
    }
  })

  it('routes an Ingress to the pages, with the hosts and paths of their URLs', async () => {
    const { spec, metadata } = external.one('Ingress', 'shop-storekeep-pages')
    expect(metadata.annotations).toEqual({ 'cert-manager.io/cluster-issuer': 'letsencrypt' })
    expect([spec.ingressClassName, spec.tls]).toEqual([
      'nginx',
      [{ secretName: 'pay-tls', hosts: ['pay.example.org'] }],
    ])
    expect(routesOf(external)).toEqual(['pay.example.org/checkout', 'pay.example.org/portal', 'pay.example.org/store'])
    for (const { backend } of spec.rules[0].http.paths) {
      expect(backend.service).toEqual({ name: 'shop-storekeep-pages', port: { name: 'http' } })
    }
    const settings = { CHECKOUT_BASE_URL: 'https://Pay.example.org:8443' }
    const apart = { services: { checkout: { settings } }, pages: { publicBaseUrl: 'https://me.example.org' } }
    const both = await render('external', { ...apart, pages: { ...apart.pages, ingress: { tls: [] } } })
    expect(routesOf(both)).toEqual(['me.example.org/portal', 'me.example.org/store', 'pay.example.org/'])
  })

  // The values of an earlier release that had no pages.
  it('keeps links and exposes no pages until they have a host', async () => {
    const manifest = await render('external', { pages: { publicBaseUrl: '', ingress: { enabled: false, tls: [] } } })
    expect(manifest.names('Ingress')).toEqual(['shop-storekeep-gateway'])
    expect(manifest.settings('checkout').CHECKOUT_BASE_URL).toBe('https://store.example.org/checkout')
  })

  it('routes an HTTPRoute for each host of the pages', () => {
    const routes = ha.all('HTTPRoute').filter(({ metadata }) => metadata.name.includes('-pages'))
    expect(
      routes.map(({ metadata, spec }) => [metadata.name, spec.hostnames, spec.rules[0].matches[0].path.value]),
    ).toEqual([
      ['shops-pages', ['account.example.org'], '/'],
      ['shops-pages-2', ['pay.example.org'], '/'],
      ['shops-pages-3', ['shop.example.org'], '/'],
    ])
    for (const { spec } of routes) {
      expect(spec.parentRefs).toEqual([{ name: 'public', namespace: 'gateways' }])
      expect(spec.rules[0].backendRefs).toEqual([{ name: 'shops-pages', port: 80 }])
    }
  })

  it('routes an HTTPRoute to the gateway', () => {
    const { spec } = ha.one('HTTPRoute', 'shops-gateway')
    expect(spec).toMatchObject({
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['store.example.org'],
    })
    expect(spec.rules[0].backendRefs).toEqual([{ name: 'shops-gateway', port: 80 }])
  })

  it('never exposes metrics or health endpoints', () => {
    const byIngress = external.one('Ingress', 'shop-storekeep-gateway').spec.rules[0].http.paths
    const byRoute = ha.one('HTTPRoute', 'shops-gateway').spec.rules[0].matches
    const paths = [
      ...byIngress.map(({ path }: { path: string }) => path),
      ...byRoute.map(({ path }: { path: { value: string } }) => path.value),
    ]
    expect(paths).toEqual(['/v1', '/docs', '/openapi.json', '/v1', '/docs', '/openapi.json'])
  })

  // Metrics and health endpoints are served only on the metrics port.
  it('reaches only the port of the pages without metrics and health endpoints', () => {
    const http = external.container('pages').ports?.find(({ name }: { name: string }) => name === 'http')
    expect(http?.containerPort).toBe(8081)
    expect(external.one('Service', 'shop-storekeep-pages').spec.ports[0]).toMatchObject({ name: 'http', port: 80 })
  })

  it('passes trusted proxies and the public URL to the gateway', () => {
    expect(external.settings('gateway')).toMatchObject({
      TRUSTED_PROXIES: '10.0.0.0/8',
      PUBLIC_BASE_URL: 'https://store.example.org',
    })
  })

  it('passes the trusted proxies of the gateway to the pages unless they have their own', async () => {
    expect(external.settings('pages').TRUSTED_PROXIES).toBe('10.0.0.0/8')
    const own = await render('external', { pages: { settings: { TRUSTED_PROXIES: '10.9.0.0/16' } } })
    expect([own.settings('pages').TRUSTED_PROXIES, own.settings('gateway').TRUSTED_PROXIES]).toEqual([
      '10.9.0.0/16',
      '10.0.0.0/8',
    ])
  })
})

/** Host and path of every route to the pages. */
function routesOf(manifest: Manifest): string[] {
  const { rules }: { rules: IngressRule[] } = manifest.one('Ingress', 'shop-storekeep-pages').spec
  return rules.flatMap(({ host, http }) => http.paths.map(({ path }) => `${host}${path}`))
}

interface IngressRule {
  host: string
  http: { paths: { path: string }[] }
}
