import { existsSync, readFileSync } from 'node:fs'
import { SetupError } from '../../bootstrap/setup-error.mjs'
import { forEachService, newKey, newSecretSettings, type ServiceName } from '../services.ts'
import { writePrivateFile } from './private-file.ts'

/** Passwords and keys of this installation, made at the first start and the same ever after. */
export function loadSecrets(file: string): Secrets {
  const known = existsSync(file) ? parse(file) : {}
  const secrets: Secrets = {
    database_passwords: { ...forEachService(newKey), ...known.database_passwords },
    encryption_keys: { ...forEachService(newKey), ...known.encryption_keys },
    settings: { ...newSecretSettings(), ...known.settings },
  }
  writePrivateFile(file, secrets)
  return secrets
}

function parse(file: string): Partial<Secrets> {
  try {
    const { settings, ...known } = JSON.parse(readFileSync(file, 'utf8'))
    return { ...known, settings: settings ?? settingsOfOldFile(known) }
  } catch {
    throw new SetupError(`${file} cannot be read as JSON. Restore it, or begin anew with "npm start -- --reset".`)
  }
}

/** Files of before held them beside the others, in lower case. */
function settingsOfOldFile(known: Record<string, string>): Record<string, string> {
  const names = Object.keys(newSecretSettings()).filter((name) => known[name.toLowerCase()] !== undefined)
  return Object.fromEntries(names.map((name) => [name, known[name.toLowerCase()] ?? '']))
}

export interface Secrets {
  database_passwords: Record<ServiceName, string>
  encryption_keys: Record<ServiceName, string>
  /** The secret settings that only one service has, by their names. Key lists grow at their front. */
  settings: Record<string, string>
}
