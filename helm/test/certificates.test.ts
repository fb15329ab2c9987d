import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findTool } from '@storekeep/local/infra'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeServices, tlsComponents } from './src/code.ts'
import { describeWithHelm } from './src/helm.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)
const script = readScript()

describeWithHelm('the certificates in docs/deploying.md', async () => {
  const tls = { enabled: true, existingSecret: 'storekeep-{component}-tls' }
  const manifest = await render('default', { fullnameOverride: 'storekeep', tls })

  it.each(tlsComponents)('are stored in the Secret that the pods of %s mount, with the same keys', (name) => {
    const { secret } = manifest
      .pod(name)
      .volumes.find(({ name: volume }: { name: string }) => volume === 'tls')
      .projected.sources.find((source: object) => 'secret' in source)
    expect(secret.name).toBe(`storekeep-${name}-tls`)
    expect(script).toContain('create secret generic "storekeep-$name-tls"')
    const keys = [...script.matchAll(/--from-file=([\w.]+)/g)].map(([, key]) => key)
    expect(secret.items.map(({ key }: { key: string }) => key)).toEqual(keys)
  })

  it.each(services)('of %s and its callers are valid for the names that they are verified against', (name) => {
    const address =
      manifest.settings(name === 'images' ? 'pages' : 'gateway')[
        `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`
      ] ?? ''
    expect(hostsOf(name)).toContain(new URL(address.replace('dns:///', 'http://')).hostname)
    for (const caller of manifest.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []) {
      const [name = '', dnsName] = caller.split('=')
      expect(hostsOf(name)).toContain(dnsName)
    }
  })

  it('are created for every component', () => {
    expect(script).toContain('extendedKeyUsage = serverAuth, clientAuth')
    expect(/for name in (.*?); do/.exec(script)?.[1]?.split(' ').sort()).toEqual([...tlsComponents].sort())
  })
})

describe('the commands of docs/deploying.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))

  beforeAll(() => runScript(folder))
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(tlsComponents)('issue a client and server certificate for %s, signed by the CA', (name) => {
    const read = (file: string) => new X509Certificate(readFileSync(join(folder, `storekeep-${name}-tls`, file)))
    const certificate = read('tls.crt')
    expect(certificate.verify(read('ca.crt').publicKey)).toBe(true)
    for (const host of hostsOf(name)) expect(certificate.checkHost(host)).toBe(host)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
    expect(readFileSync(join(folder, `storekeep-${name}-tls/tls.key`), 'utf8')).toContain('PRIVATE KEY')
  })
})

/** The commands, for the namespace of the tests. */
function readScript(): string {
  const guide = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block)
  const block = blocks.find((text) => text.includes('openssl x509 -req'))
  if (block === undefined) throw new Error('docs/deploying.md has no commands that issue certificates.')
  return block.replaceAll('.shop.svc', '.shops.svc')
}

/** The subject alternative names of a component's certificate. */
function hostsOf(name: string): string[] {
  const [, names = ''] = /subjectAltName = (.*?)"/.exec(script) ?? []
  return names.split(', ').map((host) => host.replace('DNS:', '').replace('$name', name))
}

/** Runs the commands with a kubectl that writes each Secret to a folder. */
async function runScript(folder: string): Promise<void> {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'kubectl'), kubectl, { mode: 0o755 })
  const { command, env: settings } = await findTool('openssl')
  const env = { PATH: `${bin}:${dirname(command)}:${process.env.PATH ?? ''}`, ...settings }
  execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, stdio: 'pipe' })
}

const kubectl = `#!/bin/bash
[ "$1" = apply ] && exec cat
name=$6
mkdir -p "$name"
for argument in "\${@:7}"; do
  [[ $argument == --from-file=* ]] || continue
  given=\${argument#--from-file=}
  cp "\${given#*=}" "$name/\${given%%=*}"
done
`
