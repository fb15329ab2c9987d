import { expect, it } from 'vitest'
import { calls, codeServices, components, tlsComponents } from './src/code.ts'
import { describeWithHelm } from './src/helm.ts'
import type { PodSpec } from './src/kubernetes-object.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)

describeWithHelm('mutual TLS', async () => {
  const plain = await render('default')
  const ownSecrets = await render('external')
  const certManager = await render('ha')

  it.each(components)('is off in %s by default', (component) => {
    expect(Object.keys(plain.settings(component)).filter((name) => name.startsWith('GRPC_TLS'))).toEqual([])
    expect(tlsVolume(plain.pod(component))).toBeUndefined()
    expect(plain.all('Certificate')).toEqual([])
  })

  it.each(codeServices)('accepts calls to $name from exactly the components that call it', ({ name }) => {
    const callers = calls.filter(({ to }) => to === name).map(({ from }) => from)
    const listed = ownSecrets.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []
    expect(listed.sort()).toEqual(callers.map((caller) => `${caller}=shop-storekeep-${caller}.shops.svc`).sort())
  })

  it.each(['gateway', 'pages'])('sets no allowed callers for the %s', (name) => {
    expect(ownSecrets.settings(name).GRPC_TLS_CALLERS).toBeUndefined()
  })

  it.each(tlsComponents)('mounts the files of %s as a folder, which Kubernetes keeps up to date', (component) => {
    for (const manifest of [ownSecrets, certManager]) {
      const settings = manifest.settings(component)
      const [mount, ...others] = manifest.container(component).volumeMounts.filter(isTls)
      // Kubernetes does not update subPath mounts.
      expect([mount, others]).toEqual([{ name: 'tls', mountPath: '/etc/storekeep/tls', readOnly: true }, []])
      const files = sourcesOf(manifest.pod(component)).flatMap(({ files: some }) => some)
      const asked = ['CERT', 'KEY', 'CA'].map((part) => settings[`GRPC_TLS_${part}_FILE`])
      expect(files.map((file) => `${mount.mountPath}/${file}`).sort()).toEqual(asked.sort())
      expect(tlsVolume(manifest.pod(component)).projected.defaultMode).toBe(0o440)
    }
  })

  it.each(tlsComponents)('reads the certificate of %s from the Secret in existingSecret', (component) => {
    expect(sourcesOf(ownSecrets.pod(component)).map(({ name }) => name)).toEqual([`Secret storekeep-${component}-tls`])
  })

  it.each(tlsComponents)('requests a client and server certificate for %s from cert-manager', (component) => {
    const { spec } = certManager.one('Certificate', `shops-${component}`)
    expect(sourcesOf(certManager.pod(component))[0]?.name).toBe(`Secret ${spec.secretName}`)
    expect(spec).toMatchObject({
      duration: '2160h',
      renewBefore: '720h',
      usages: expect.arrayContaining(['server auth', 'client auth']),
      issuerRef: { name: 'shops', kind: 'ClusterIssuer', group: 'cert-manager.io' },
    })
  })

  it('stores the certificate of each component in a separate Secret', () => {
    expect(certManager.names('Certificate')).toEqual(tlsComponents.map((name) => `shops-${name}`).sort())
    const secrets = certManager.all('Certificate').map(({ spec }) => spec.secretName)
    expect(new Set(secrets).size).toBe(tlsComponents.length)
  })

  it.each(services)('issues certificates for the address of %s and for the names of its callers', (name) => {
    const addresses = tlsComponents.map((caller) => certManager.settings(caller)[addressOf(name)]).filter(Boolean)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) {
      const { hostname } = new URL((address ?? '').replace('dns:///', 'http://'))
      expect(certManager.one('Certificate', `shops-${name}`).spec.dnsNames).toContain(hostname)
    }
    for (const caller of certManager.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []) {
      const [name, dnsName = ''] = caller.split('=')
      expect(certManager.one('Certificate', `shops-${name}`).spec.dnsNames).toContain(dnsName)
    }
  })

  it('trusts the CAs in trustBundle, or else the CA in each Secret', () => {
    expect(sourcesOf(certManager.pod('bans'))).toEqual([
      { name: 'Secret shops-bans-tls', files: ['tls.crt', 'tls.key'] },
      { name: 'ConfigMap shops-trust', files: ['ca.crt'] },
    ])
    expect(sourcesOf(ownSecrets.pod('bans'))).toEqual([
      { name: 'Secret storekeep-bans-tls', files: ['tls.crt', 'tls.key', 'ca.crt'] },
    ])
  })

  it.each(services)('probes the readiness of %s over HTTP, because the kubelet has no client certificate', (name) => {
    const { readinessProbe } = ownSecrets.container(name)
    expect([readinessProbe.httpGet, readinessProbe.grpc]).toEqual([{ path: '/readyz', port: 'metrics' }, undefined])
  })

  it('gives the test pod the identity of the admin tools, whose CLI it runs', () => {
    const test = ownSecrets.one('Pod', 'shop-storekeep-test').spec
    const tools = ownSecrets.container('admin-tools').env
    const [gatewayUrl, storeSlug, ...shared] = test.containers[0].env
    expect([gatewayUrl.name, storeSlug.name]).toEqual(['GATEWAY_URL', 'STORE_SLUG'])
    expect(shared).toEqual(tools)
    expect(sourcesOf(test)).toEqual(sourcesOf(ownSecrets.pod('admin-tools')))
    expect(test.containers[0].volumeMounts).toContainEqual(expect.objectContaining({ mountPath: '/etc/storekeep/tls' }))
  })

  it('restarts pods when it is enabled, but not when a certificate changes', async () => {
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

/** The mounted objects and their files. */
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
