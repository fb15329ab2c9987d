import {
  type CellAddresses,
  createEnvReader,
  type Environment,
  type IdentityConfig,
  readCells,
  readIdentityConfig,
} from '@storekeep/common/config'

export function configFromProcess(): AdminConfig {
  return readConfig(process.env)
}

/** The secret from which `create-call-keys.ts` derives; undefined generates one. */
export function callSecretFromProcess(): string | undefined {
  return createEnvReader(process.env).optional('CALL_SECRET')
}

export function invocationFromProcess(): Invocation {
  return readInvocation(process.env)
}

/** How the help spells the command: npm sets the name of the script that it runs; images have no npm. */
export function readInvocation(source: Environment): Invocation {
  if (source.npm_lifecycle_event === 'admin') return { usual: 'npm run admin --', quiet: 'npm run --silent admin --' }
  const plain = 'node services/admin-tools/src/main.ts'
  return { usual: plain, quiet: plain }
}

/** @throws ConfigError naming every missing setting */
export function readConfig(source: Environment): AdminConfig {
  const env = createEnvReader(source)
  const config = { cells: readCells(env, calledServices), identity: readIdentityConfig(env) }
  env.finish()
  return config
}

export interface Invocation {
  usual: string
  /** Prints nothing but the result, for programs. */
  quiet: string
}

const calledServices = [
  ...['stores', 'customers', 'bans', 'coupons', 'checkout'],
  ...['orders', 'delivery', 'emails', 'webhooks', 'images', 'search'],
] as const

export type AdminService = (typeof calledServices)[number]

export interface AdminConfig {
  cells: CellAddresses<AdminService>
  identity: IdentityConfig
}
