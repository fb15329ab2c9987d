import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Authority, type Certificate, createAuthority } from '../../testing/authority.ts'
import { mountCertificate } from '../../testing/mount-certificate.ts'
import { createLogger } from '../log/index.ts'
import { createMetrics } from '../telemetry/index.ts'
import { createTlsIdentity, readTlsIdentity } from './tls-identity.ts'

let authority: Authority
let old: Certificate
let next: Certificate
beforeAll(async () => {
  authority = await createAuthority()
  old = await authority.issue(['stores'], 1)
  next = await authority.issue(['stores'], 2)
})

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function startWith(certificate: Certificate, pollMs?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const lines: string[] = []
  const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } })
  const metrics = createMetrics({ service: 'test' })
  const mounted = mountCertificate(folder, certificate)
  const identity = createTlsIdentity({ config: mounted.config, log, metrics, ...(pollMs !== undefined && { pollMs }) })
  closers.push(identity.close)
  return { mounted, identity, lines, metrics }
}

describe('the TLS identity of a process', () => {
  it('is reloaded automatically when the mounted files change', async () => {
    const { mounted, identity } = startWith(old, 5)
    const changed = new Promise((resolve) => identity.onChange(resolve))
    mounted.swap(next)
    await changed
    expect(identity.current.serialNumber).toBe(new X509Certificate(next.cert).serialNumber)
  })

  it.each<[string, () => Partial<Certificate>, string]>([
    ['truncated', () => ({ ...next, cert: next.cert.slice(0, 200) }), 'GRPC_TLS_CERT_FILE contains no certificate'],
    ['missing the key', () => ({ cert: next.cert, ca: next.ca }), 'GRPC_TLS_KEY_FILE cannot be read (ENOENT)'],
    [
      'mixed with the old key',
      () => ({ ...next, key: old.key }),
      'GRPC_TLS_KEY_FILE is not the key of GRPC_TLS_CERT_FILE',
    ],
    ['invalid: key', () => ({ ...next, key: 'none' }), 'GRPC_TLS_KEY_FILE contains no private key'],
    ['invalid: empty CA file', () => ({ ...next, ca: '' }), 'GRPC_TLS_CA_FILE contains no certificate'],
    [
      'invalid: CA',
      () => ({ ...next, ca: next.ca.replace('\nM', '\n!') }),
      'GRPC_TLS_CA_FILE contains an invalid certificate',
    ],
    [
      'invalid: truncated second CA',
      () => ({ ...next, ca: next.ca + next.ca.slice(0, 300) }),
      'GRPC_TLS_CA_FILE contains an invalid certificate',
    ],
    [
      'invalid: two CAs on one line',
      () => ({ ...next, ca: next.ca.trim() + next.ca }),
      'GRPC_TLS_CA_FILE contains no certificate',
    ],
  ])('stays when the new files are %s, and logs the reason once', (_what, broken, problem) => {
    const { mounted, identity, lines } = startWith(old)
    const before = identity.current
    mounted.swap(broken())
    identity.reload()
    identity.reload()
    expect(identity.current).toBe(before)
    const [line, ...others] = lines.map((one) => JSON.parse(one))
    expect([line.reason, others]).toEqual([problem, []])
    mounted.swap(next)
    identity.reload()
    expect(identity.current.serialNumber).toBe(new X509Certificate(next.cert).serialNumber)
  })

  it('stays when the new certificate has expired or comes from an untrusted CA', async () => {
    const { mounted, identity, lines } = startWith(old)
    mounted.swap(await authority.issue(['stores'], -1))
    identity.reload()
    mounted.swap({ ...(await (await createAuthority()).issue(['stores'])), ca: authority.ca })
    identity.reload()
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual([
      'GRPC_TLS_CERT_FILE has expired',
      'GRPC_TLS_CERT_FILE was not issued by a CA in GRPC_TLS_CA_FILE',
    ])
  })

  it('fails the start with the name of the invalid setting', () => {
    const start = () => startWith({ ...old, key: next.key })
    expect(start).toThrow('Invalid settings: GRPC_TLS_KEY_FILE is not the key of GRPC_TLS_CERT_FILE.')
  })

  it('is read once by a command, with the same checks', () => {
    const { mounted } = startWith(old)
    const identity = readTlsIdentity(mounted.config)
    expect(identity.current.serialNumber).toBe(new X509Certificate(old.cert).serialNumber)
    mounted.swap({ ...old, key: next.key })
    expect(() => readTlsIdentity(mounted.config)).toThrow('GRPC_TLS_KEY_FILE is not the key of GRPC_TLS_CERT_FILE.')
  })

  it('is passed to all listeners, also after a listener throws', () => {
    const { mounted, identity, lines } = startWith(old)
    const told: string[] = []
    identity.onChange(() => {
      throw new Error('broken')
    })
    identity.onChange(({ serialNumber }) => told.push(serialNumber))
    mounted.swap(next)
    identity.reload()
    expect(told).toEqual([new X509Certificate(next.cert).serialNumber])
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'tls certificate reloaded',
      'tls certificate listener failed',
    ])
  })

  it('never logs the key', () => {
    const { mounted, identity, lines } = startWith(old)
    for (const certificate of [next, { ...next, key: `${old.key}${next.key.slice(0, 90)}` }, { ...next, key: 'x' }]) {
      mounted.swap(certificate)
      identity.reload()
    }
    expect(lines.length).toBeGreaterThan(1)
    for (const key of [old.key, next.key]) expect(lines.join()).not.toContain(key.split('\n')[1])
  })

  it('exports the validity of the certificate', async () => {
    const { mounted, identity, metrics } = startWith(old)
    mounted.swap(next)
    identity.reload()
    const { validFrom, validTo } = new X509Certificate(next.cert)
    const values = await Promise.all(
      ['tls_certificate_start_timestamp_seconds', 'tls_certificate_expiry_timestamp_seconds'].map(async (name) => {
        const metric = await metrics.registry.getSingleMetric(name)?.get()
        return metric?.values[0]?.value
      }),
    )
    expect(values).toEqual([validFrom, validTo].map((text) => Date.parse(text) / 1000))
  })
})
