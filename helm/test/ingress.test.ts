import { beforeAll, expect, it } from 'vitest'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

describeWithHelm('public access', () => {
  let external: Manifest
  let ha: Manifest

  beforeAll(async () => {
    external = await render('external')
    ha = await render('ha')
  })

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

  it('passes trusted proxies and the public URL to the gateway', () => {
    expect(external.settings('gateway')).toMatchObject({
      TRUSTED_PROXIES: '10.0.0.0/8',
      PUBLIC_BASE_URL: 'https://store.example.org',
    })
  })
})
