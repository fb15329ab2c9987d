import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeServices, components } from './src/code.ts'
import { whyNoHelm } from './src/helm.ts'
import type { Manifest } from './src/manifest.ts'
import { render } from './src/render.ts'

const services = codeServices.map(({ name }) => name)
const hasTools = ['openssl', 'bash'].every((program) => spawnSync(program, ['--help']).error === undefined)
const whyNot = whyNoHelm ?? (hasTools ? undefined : 'no OpenSSL here')

describe.skipIf(whyNot)(`the certificates that docs/deploying.md has one make (${whyNot ?? 'by OpenSSL'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  let manifest: Manifest

  beforeAll(async () => {
    makeAsTold(folder)
    const tls = { enabled: true, existingSecret: 'storekeep-{component}-tls' }
    manifest = await render('default', { fullnameOverride: 'storekeep', tls })
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(components)('of %s is in the Secret that its pods mount, with its key and the authority of all', (name) => {
    const { secret } = manifest
      .pod(name)
      .volumes.find(({ name: volume }: { name: string }) => volume === 'tls')
      .projected.sources.find((source: object) => 'secret' in source)
    const certificate = read(secret.name, 'tls.crt')
    expect(certificate.verify(read(secret.name, 'ca.crt').publicKey)).toBe(true)
    expect(readFileSync(join(folder, secret.name, 'tls.key'), 'utf8')).toContain('PRIVATE KEY')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'])
    expect(secret.items.map(({ key }: { key: string }) => key)).toEqual(['tls.crt', 'tls.key', 'ca.crt'])
  })

  it.each(services)('of %s holds for the address by which it is called, and callers’ for their names', (name) => {
    const address = manifest.settings('gateway')[`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`] ?? ''
    const { hostname } = new URL(address.replace('dns:///', 'http://'))
    expect(read(`storekeep-${name}-tls`, 'tls.crt').checkHost(hostname)).toBe(hostname)
    for (const caller of manifest.settings(name).GRPC_TLS_CALLERS?.split(',') ?? []) {
      const [service] = caller.split('.')
      expect(read(`${service}-tls`, 'tls.crt').checkHost(caller)).toBe(caller)
    }
  })

  function read(secret: string, file: string): X509Certificate {
    return new X509Certificate(readFileSync(join(folder, secret, file)))
  }
})

/** Runs the block of the guide with a kubectl that keeps the files of each Secret in a folder of its name. */
function makeAsTold(folder: string): void {
  const guide = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block)
  const block = blocks.find((text) => text.includes('openssl x509 -req'))
  if (block === undefined) throw new Error('The guide says nothing of certificates.')
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'kubectl'), kubectl, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}` }
  // The namespace of the guide is shop, that of the renderings shops.
  const script = block.replaceAll('.shop.svc', '.shops.svc')
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
