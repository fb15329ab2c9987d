import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { writePrivateFile } from './private-file.ts'

/** Passwords and keys of this installation, made at the first start and the same ever after. */
export function loadSecrets(file: string): Secrets {
  const known = existsSync(file) ? parse(file) : {}
  const secrets: Secrets = {
    database_passwords: { stores: newKey(), customers: newKey(), ...known.database_passwords },
    encryption_keys: { stores: newKey(), customers: newKey(), ...known.encryption_keys },
    api_key_pepper: known.api_key_pepper ?? newKey(),
    token_keys: known.token_keys ?? `1:${newKey()}`,
  }
  writePrivateFile(file, secrets)
  return secrets
}

function parse(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new SetupError(`${file} cannot be read as JSON. Restore it, or begin anew with "npm start -- --reset".`)
  }
}

/** 256 random bits in base64url. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}

export interface Secrets {
  database_passwords: Record<'stores' | 'customers', string>
  encryption_keys: Record<'stores' | 'customers', string>
  api_key_pepper: string
  /** `<kid>:<key>`; further keys follow after a comma. */
  token_keys: string
}
