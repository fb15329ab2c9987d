import { fileURLToPath } from 'node:url'
import { ConfigError, type Environment } from '@storekeep/common/config'
import { services } from '@storekeep/local/services'
import { processNames } from '../../../gateway/src/services.ts'
import { readConfig as readAdminConfig } from '../../../services/admin-tools/src/config.ts'

/** What the code itself says about the processes; the chart is held against it. */
export const codeServices: readonly CodeService[] = services

/** The services that the gateway calls, as the chart names them. */
export const gatewayCalls = processNames
  .map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  .sort()

/** The services that the admin command calls, which runs in the pods of the stores. */
export const adminCalls = [...settingsRead(readAdminConfig).keys()]
  .filter((setting) => setting.endsWith('_ADDRESS'))
  .map((setting) =>
    setting
      .replace(/_ADDRESS$/, '')
      .toLowerCase()
      .replaceAll('_', '-'),
  )
  .sort()

/** Every call between processes that the code makes, the admin command's too. */
export const calls: readonly { from: string; to: string }[] = [
  ...codeServices.flatMap(({ name, calls: called }) => called.map((to) => ({ from: name, to }))),
  ...gatewayCalls.map((to) => ({ from: 'gateway', to })),
  ...adminCalls.map((to) => ({ from: 'stores', to })),
]

export const components = [...codeServices.map(({ name }) => name), 'gateway']

/** The `readConfig` of a service's or the gateway's config.ts. */
export async function configReader(component: string): Promise<ReadConfig> {
  const folder = component === 'gateway' ? component : `services/${component}`
  const { readConfig } = await import(fileURLToPath(new URL(`../../../${folder}/src/config.ts`, import.meta.url)))
  return readConfig
}

/**
 * Every setting that a config.ts reads, with what it says about a wrong value.
 * @param given settings on which it depends whether others are read
 */
export function settingsRead(read: ReadConfig, given: Environment = {}): Map<string, string> {
  const names = new Set<string>()
  const wrong = new Proxy(given, {
    get(target, name) {
      names.add(String(name))
      return target[String(name)] ?? 'wrong'
    },
  })
  const problems = problemsOf(() => read(wrong))
  return new Map([...names].map((name) => [name, problems.find((one) => one.startsWith(`${name} `)) ?? '']))
}

/** "DATABASE_URL is missing", and so on; none when the settings are taken. */
export function problemsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.replace(/^Wrong settings: |\.$/g, '').split('; ')
  }
}

export type ReadConfig = (env: Environment) => object

interface CodeService {
  name: string
  calls: readonly string[]
  redis: boolean
  secrets: Readonly<Record<string, unknown>>
}
