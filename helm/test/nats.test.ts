import { expect, it } from 'vitest'
import { codeServices, components, tlsComponents } from './src/code.ts'
import { describeWithHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)
const others = tlsComponents.filter((name) => !services.includes(name))
const secretOfEach = '{component}-nats'

describeWithHelm('authentication to NATS by files', async () => {
  const plain = await render('default')
  const creds = await render('default', {
    nats: {
      auth: { existingSecret: secretOfEach, credsKey: 'jwt' },
      tls: { existingSecret: 'certificates-{component}' },
    },
  })
  const nkey = await render('default', {
    nats: {
      auth: { existingSecret: secretOfEach, nkeyKey: 'seed' },
      tls: { existingSecret: 'ca', caKey: 'bundle.pem', certKey: '', keyKey: '' },
    },
  })

  it.each(components)('is off in %s by default', (name) => {
    expect(Object.keys(plain.settings(name)).filter((setting) => /^NATS_.*_FILE$/.test(setting))).toEqual([])
    expect(volumeOf(plain, name)).toBeUndefined()
  })

  it.each(services)('gives %s the files of the Secrets that belong to it', (name) => {
    expect(filesOf(creds, name)).toEqual({
      NATS_CREDS_FILE: `${name}-nats/jwt`,
      NATS_TLS_CA_FILE: `certificates-${name}/ca.crt`,
      NATS_TLS_CERT_FILE: `certificates-${name}/tls.crt`,
      NATS_TLS_KEY_FILE: `certificates-${name}/tls.key`,
    })
    expect(filesOf(nkey, name)).toEqual({ NATS_NKEY_FILE: `${name}-nats/seed`, NATS_TLS_CA_FILE: 'ca/bundle.pem' })
  })

  it.each(others)('gives %s no file, because it does not use NATS', (name) => {
    expect([volumeOf(creds, name), volumeOf(nkey, name)]).toEqual([undefined, undefined])
  })

  it('gives the migrations no file', () => {
    expect(JSON.stringify(creds.all('Job'))).not.toContain('nats')
  })

  it('lets only the owner and group of the process read the files', () => {
    expect(volumeOf(creds, 'bans').projected.defaultMode).toBe(0o440)
  })

  it('restarts pods when a file is added', () => {
    const checksumOf = (manifest: Manifest) =>
      manifest.one('Deployment', 'shop-storekeep-bans').spec.template.metadata.annotations['checksum/settings']
    expect(new Set([plain, creds, nkey].map(checksumOf)).size).toBe(3)
  })
})

/** For each setting with a file, the Secret and the key that the kubelet mounts there. */
function filesOf(manifest: Manifest, name: string): Record<string, string | undefined> {
  const mounted: Record<string, string> = {}
  // Kubernetes does not update subPath mounts.
  const [mount] = manifest.container(name).volumeMounts.filter(isNats)
  expect(mount).toEqual({ name: 'nats-files', mountPath: '/etc/storekeep/nats', readOnly: true })
  const sources: Source[] = volumeOf(manifest, name).projected.sources
  for (const { secret } of sources) {
    for (const { key, path } of secret.items) mounted[`${mount.mountPath}/${path}`] = `${secret.name}/${key}`
  }
  const settings = Object.entries(manifest.settings(name)).filter(([setting]) => /^NATS_.*_FILE$/.test(setting))
  expect(settings).toHaveLength(Object.keys(mounted).length)
  return Object.fromEntries(settings.map(([setting, file]) => [setting, mounted[file]]))
}

function volumeOf(manifest: Manifest, name: string) {
  return manifest.pod(name).volumes.find(isNats)
}

function isNats({ name }: { name: string }): boolean {
  return name === 'nats-files'
}

interface Source {
  secret: { name: string; items: { key: string; path: string }[] }
}
