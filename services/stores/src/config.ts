import { createEnvReader, type Environment, readServiceConfig, type ServiceConfig } from '@storekeep/common/config'
import { createSecretBox, type SecretBox } from '@storekeep/common/crypto'

/** The settings of this process; the only place that reads `process.env`. */
export function configFromProcess(): StoresConfig {
  return readConfig(process.env)
}

/** @throws ConfigError naming every setting that is missing or wrong */
export function readConfig(source: Environment): StoresConfig {
  const env = createEnvReader(source)
  const config: StoresConfig = {
    ...readServiceConfig(env),
    secrets: env.custom('ENCRYPTION_KEY', createSecretBox),
    pepper: env.custom('API_KEY_PEPPER', parsePepper),
  }
  env.finish()
  return Object.freeze(config)
}

export interface StoresConfig extends ServiceConfig {
  /** Encrypts the kept answers of idempotent calls that hold a secret. */
  secrets: SecretBox
  /** Keys the hashes of the API keys. Changing it makes every API key unknown. */
  pepper: Buffer
}

function parsePepper(text: string): Buffer {
  const pepper = Buffer.from(text, 'base64url')
  if (pepper.length !== 32) throw new Error('must be 32 bytes in base64url')
  return pepper
}
