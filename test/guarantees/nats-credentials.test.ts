import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import type { NatsConfig } from '@storekeep/common/config'
import { createLogger } from '@storekeep/common/log'
import { createNats } from '@storekeep/common/nats'
import { createAuthority } from '@storekeep/common/testing/certificates'
import { freePort, type RunningServer, startNats } from '@storekeep/local/infra'
import { waitFor } from '@storekeep/test/kit'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'storekeep-nats-'))
const servers: RunningServer[] = []
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** A way to authenticate: the configuration of the server, settings that it must accept, and settings that it must reject. */
interface Way {
  server: string
  accepted: (port: number) => NatsConfig
  rejected: (port: number) => NatsConfig
}

const at = (port: number) => `nats://127.0.0.1:${port}`
const user = nkeys.createUser()
const stranger = nkeys.createUser()
const nkeyFile = write('user.nk', `${seedOf(user)}\n`)
const strangerFile = write('stranger.nk', seedOf(stranger))
const { tls, files } = await certificates()
const { operator, creds, unknownCreds } = accounts()

const ways: Record<string, Way> = {
  'a user and a password': {
    server: 'authorization { user: u, password: "p@ss:w/ord" }',
    accepted: (port) => ({ url: `nats://u:p%40ss%3Aw%2Ford@127.0.0.1:${port}` }),
    rejected: (port) => ({ url: `nats://u:wrong@127.0.0.1:${port}` }),
  },
  'a token': {
    server: 'authorization { token: "s3cr3t" }',
    accepted: (port) => ({ url: `nats://s3cr3t@127.0.0.1:${port}` }),
    rejected: (port) => ({ url: `nats://wrong@127.0.0.1:${port}` }),
  },
  'an NKey': {
    server: `authorization { users: [{ nkey: ${user.getPublicKey()} }] }`,
    accepted: (port) => ({ url: at(port), nkeyFile }),
    rejected: (port) => ({ url: at(port), nkeyFile: strangerFile }),
  },
  'a file of credentials': {
    server: operator,
    accepted: (port) => ({ url: at(port), credsFile: creds }),
    rejected: (port) => ({ url: at(port), credsFile: unknownCreds }),
  },
  'a client certificate': {
    server: tls,
    accepted: (port) => ({ url: `tls://localhost:${port}`, tls: files }),
    rejected: (port) => ({ url: `tls://localhost:${port}`, tls: { caFile: files.caFile } }),
  },
}

describe('NATS', () => {
  it.each(Object.keys(ways))('accepts a service with %s, and rejects it without', async (name) => {
    const { server, accepted, rejected } = ways[name] as Way
    const port = await start(name, server)
    await expectConnection(accepted(port))
    await expectFailure(rejected(port))
  })

  it('is used on any of several hosts, and on another when that host ends', async () => {
    const ports = [await start('first', ''), await start('second', '')]
    const unused = await freePort()
    const url = `nats://127.0.0.1:${unused},127.0.0.1:${ports[0]},nats://127.0.0.1:${ports[1]}`
    const nats = createNats({ url, name: 'test', log: silent })
    try {
      await waitFor('the connection', () => nats.connection())
      const used = nats.connection()?.getServer()
      await servers.find(({ port }) => used?.endsWith(`:${port}`))?.stop()
      await waitFor('a connection to the other server', () => {
        const now = nats.connection()?.getServer()
        return now !== undefined && now !== used
      })
    } finally {
      await nats.close()
    }
  })
})

const silent = createLogger({ service: 'test', level: 'silent' })

async function expectConnection(config: NatsConfig): Promise<void> {
  const nats = createNats({ ...config, name: 'test', log: silent })
  try {
    await waitFor('the connection', () => nats.connection())
  } finally {
    await nats.close()
  }
}

async function expectFailure(config: NatsConfig): Promise<void> {
  const failed = Promise.withResolvers<void>()
  const log = { ...silent, warn: () => failed.resolve() } as unknown as typeof silent
  const nats = createNats({ ...config, name: 'test', log })
  try {
    await failed.promise
    expect(nats.generation()).toBe(0)
  } finally {
    await nats.close()
  }
}

async function start(name: string, config: string): Promise<number> {
  const dataDir = join(folder, name.replaceAll(' ', '-'))
  mkdirSync(dataDir)
  const server = await startNats({ dataDir, config })
  servers.push(server)
  return server.port
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

async function certificates() {
  const authority = await createAuthority()
  const server = await authority.issue(['localhost'])
  const client = await authority.issue(['stores'])
  const caFile = write('ca.crt', authority.ca)
  const lines = [
    `cert_file: "${write('server.crt', server.cert)}"`,
    `key_file: "${write('server.key', server.key)}"`,
    `ca_file: "${caFile}"`,
    'verify: true',
  ]
  const files = { caFile, certFile: write('client.crt', client.cert), keyFile: write('client.key', client.key) }
  return { tls: `tls { ${lines.join(', ')} }`, files }
}

/** An operator with one account, and the credentials of one of its users and of one of another account. */
function accounts() {
  const operator = nkeys.createOperator()
  const [account, other, system] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()]
  const unlimited = { subs: -1, data: -1, payload: -1 }
  const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const operatorToken = token(operator, operator, { type: 'operator' })
  const preloaded = [account, system].map(
    (one) => `${one.getPublicKey()}: ${token(operator, one, { type: 'account', limits })}`,
  )
  const credentials = (signer: typeof account) => {
    const jwt = token(signer, user, { type: 'user', pub: {}, sub: {}, ...unlimited })
    return [
      `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n`,
      `-----BEGIN USER NKEY SEED-----\n${seedOf(user)}\n------END USER NKEY SEED------\n`,
    ].join('\n')
  }
  return {
    operator: [
      `operator: ${operatorToken}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${preloaded.join(', ')} }`,
    ].join('\n'),
    creds: write('user.creds', credentials(account)),
    unknownCreds: write('unknown.creds', credentials(other)),
  }
}

function seedOf(pair: typeof user): string {
  return Buffer.from(pair.getSeed()).toString()
}

function token(signer: typeof user, subject: typeof user, claims: object): string {
  const body = { jti: subject.getPublicKey(), iat: 1, iss: signer.getPublicKey(), sub: subject.getPublicKey() }
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...body, nats: { version: 2, ...claims } })}`
  return `${text}.${Buffer.from(signer.sign(Buffer.from(text))).toString('base64url')}`
}
