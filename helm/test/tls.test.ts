import { beforeAll, describe, expect, it } from 'vitest'
import { calls, codeServices, components } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { PodSpec } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)

describe.skipIf(whyNoHelm)(`TLS between the processes (${whyNoHelm ?? 'by Helm'})`, () => {
  let plain: Manifest
  let given: Manifest
  let made: Manifest

  beforeAll(async () => {
    plain = await render('default')
    given = await render('external')
    made = await render('ha')
  })

  it.each(components)('is off in %s unless somebody asks for it', (component) => {
    expect(Object.keys(plain.settings(component)).filter((name) => name.startsWith('GRPC_TLS'))).toEqual([])
    expect(tlsVolume(plain.pod(component))).toBeUndefined()
    expect(plain.all('Certificate')).toEqual([])
  })

  it.each(codeServices)('lets exactly those call $name that the code makes call it', ({ name }) => {
    const callers = calls.filter(({ to }) => to === name).map(({ from }) => from)
    const listed = given.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []
    expect(listed.sort()).toEqual(callers.map((caller) => `shop-storekeep-${caller}.shops.svc`).sort())
  })

  it('has no list of callers in the gateway, which nobody calls', () => {
    expect(given.settings('gateway').GRPC_TLS_CALLERS).toBeUndefined()
  })

  it.each(components)(
    'has the files of %s in a folder of their own, which the cluster keeps up to date',
    (component) => {
      for (const manifest of [given, made]) {
        const settings = manifest.settings(component)
        const [mount, ...others] = manifest.container(component).volumeMounts.filter(isTls)
        // With a subPath the files would stay what they were at the start.
        expect([mount, others]).toEqual([{ name: 'tls', mountPath: '/etc/storekeep/tls', readOnly: true }, []])
        const files = sourcesOf(manifest.pod(component)).flatMap(({ files: some }) => some)
        const asked = ['CERT', 'KEY', 'CA'].map((part) => settings[`GRPC_TLS_${part}_FILE`])
        expect(files.map((file) => `${mount.mountPath}/${file}`).sort()).toEqual(asked.sort())
        expect(tlsVolume(manifest.pod(component)).projected.defaultMode).toBe(0o440)
      }
    },
  )

  it.each(components)('takes the certificate of %s from the Secret that the values name', (component) => {
    expect(sourcesOf(given.pod(component)).map(({ name }) => name)).toEqual([`Secret storekeep-${component}-tls`])
  })

  it.each(components)('has cert-manager make the certificate of %s, for both ends of a call', (component) => {
    const { spec } = made.one('Certificate', `shops-${component}`)
    expect(sourcesOf(made.pod(component))[0]?.name).toBe(`Secret ${spec.secretName}`)
    expect(spec).toMatchObject({
      duration: '2160h',
      renewBefore: '720h',
      usages: expect.arrayContaining(['server auth', 'client auth']),
      issuerRef: { name: 'shops', kind: 'ClusterIssuer', group: 'cert-manager.io' },
    })
  })

  it('makes a certificate for every process, and no two of them share a Secret', () => {
    expect(made.names('Certificate')).toEqual(components.map((name) => `shops-${name}`).sort())
    const secrets = made.all('Certificate').map(({ spec }) => spec.secretName)
    expect(new Set(secrets).size).toBe(components.length)
  })

  it.each(services)(
    'has certificates that hold for the address of %s, and for the names that it knows callers by',
    (name) => {
      const addresses = components.map((caller) => made.settings(caller)[addressOf(name)]).filter(Boolean)
      expect(addresses.length).toBeGreaterThan(0)
      for (const address of addresses) {
        const { hostname } = new URL((address ?? '').replace('dns:///', 'http://'))
        expect(made.one('Certificate', `shops-${name}`).spec.dnsNames).toContain(hostname)
      }
      for (const caller of made.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []) {
        const [service] = caller.split('.')
        expect(made.one('Certificate', service ?? '').spec.dnsNames).toContain(caller)
      }
    },
  )

  it('believes the CAs of a bundle where there is one, and the CA of each Secret otherwise', () => {
    expect(sourcesOf(made.pod('bans'))).toEqual([
      { name: 'Secret shops-bans-tls', files: ['tls.crt', 'tls.key'] },
      { name: 'ConfigMap shops-trust', files: ['ca.crt'] },
    ])
    expect(sourcesOf(given.pod('bans'))).toEqual([
      { name: 'Secret storekeep-bans-tls', files: ['tls.crt', 'tls.key', 'ca.crt'] },
    ])
  })

  it.each(services)('has the readiness of %s asked over HTTP, since Kubernetes has no certificate', (name) => {
    const { readinessProbe } = given.container(name)
    expect([readinessProbe.httpGet, readinessProbe.grpc]).toEqual([{ path: '/readyz', port: 'metrics' }, undefined])
  })

  it('lets the test of Helm call as stores do, whose admin command it runs', () => {
    const test = given.one('Pod', 'shop-storekeep-test').spec
    const settings = test.containers[0].env.filter(({ name }: { name: string }) => name.startsWith('GRPC_TLS'))
    const stores = given.settings('stores')
    expect(settings).toHaveLength(3)
    for (const { name, value } of settings) expect([name, value]).toEqual([name, stores[name]])
    expect(sourcesOf(test)).toEqual(sourcesOf(given.pod('stores')))
    expect(stores.GRPC_TLS_CALLERS?.split(',')).toContain('shop-storekeep-stores.shops.svc')
    expect(test.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ mountPath: '/etc/storekeep/tls' }))
  })

  it('starts pods again when it is switched on, and not when a certificate changes', async () => {
    const checksumOf = (manifest: Manifest) =>
      manifest.one('Deployment', 'shop-storekeep-bans').spec.template.metadata.annotations['checksum/settings']
    const on = await render('default', { tls: { enabled: true, existingSecret: '{component}-one' } })
    const other = await render('default', { tls: { enabled: true, existingSecret: '{component}-two' } })
    expect(checksumOf(on)).not.toBe(checksumOf(plain))
    expect(checksumOf(other)).toBe(checksumOf(on))
  })
})

function tlsVolume({ volumes }: PodSpec) {
  return volumes.find(isTls)
}

function isTls({ name }: { name: string }): boolean {
  return name === 'tls'
}

/** What is mounted, and as which files. */
function sourcesOf(pod: PodSpec): { name: string; files: string[] }[] {
  const sources: Source[] = tlsVolume(pod).projected.sources
  return sources.flatMap((source) =>
    Object.entries(source).map(([kind, { name, items }]) => ({
      name: `${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${name}`,
      files: items.map(({ path }) => path),
    })),
  )
}

type Source = Record<string, { name: string; items: { path: string }[] }>

function addressOf(service: string): string {
  return `${service.replaceAll('-', '_').toUpperCase()}_ADDRESS`
}
