import { existsSync, readFileSync } from 'node:fs'
import { deriveCallKeys, parseCallKeys } from '@storekeep/common/crypto'
import type { ProcessIdentity } from '@storekeep/common/identity'
import { redisClients } from '../../../rights.ts'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { forEachService, newKey, newSecretSettings, type ServiceName } from '../services.ts'
import { writePrivateFile } from './private-file.ts'

/** Loads the passwords and keys of this installation, and generates missing ones. */
export function loadSecrets(file: string): Secrets {
  const known = existsSync(file) ? parse(file) : {}
  const secrets: Secrets = {
    database_passwords: { ...forEachService(newKey), ...known.database_passwords },
    encryption_keys: { ...forEachService(newKey), ...known.encryption_keys },
    nats_passwords: { ...forEachService(newKey), ...known.nats_passwords },
    redis_passwords: { ...newRedisPasswords(), ...known.redis_passwords },
    settings: { ...newSecretSettings(), ...known.settings },
    call_secret: known.call_secret ?? newKey(),
  }
  writePrivateFile(file, secrets)
  return secrets
}

/** The CALL_KEYS of the admin CLI of this installation. */
export function adminCallKeys(file: string): string {
  return deriveCallKeys(loadSecrets(file).call_secret, 'admin-tools')
}

/** The identity of the admin CLI of this installation. */
export function adminIdentity(file: string): ProcessIdentity {
  return { name: 'admin-tools', tls: undefined, keys: parseCallKeys(adminCallKeys(file)) }
}

function newRedisPasswords(): Record<string, string> {
  return Object.fromEntries(redisClients.map(({ name }) => [name, newKey()]))
}

function parse(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new SetupError(`${file} is not valid JSON. Restore it, or start from scratch: npm start -- --reset`)
  }
}

export interface Secrets {
  database_passwords: Record<ServiceName, string>
  encryption_keys: Record<ServiceName, string>
  nats_passwords: Record<string, string>
  redis_passwords: Record<string, string>
  /** Secret settings of single services, by name. */
  settings: Record<string, string>
  /** The keys for calls between processes are derived from it. */
  call_secret: string
}
