import { fileURLToPath } from 'node:url'
import { ConfigError, type Environment } from '@storekeep/common/config'
import { adminTools, gateway, pages, services } from '@storekeep/local/services'

/** The services of the code, which the chart must match. */
export const codeServices: readonly CodeService[] = services

/** Every call between components. */
export const calls: readonly { from: string; to: string }[] = [
  ...codeServices.flatMap(({ name, calls: called }) => called.map((to) => ({ from: name, to }))),
  ...gateway.calls.map((to) => ({ from: 'gateway', to })),
  ...pages.calls.map((to) => ({ from: 'pages', to })),
  ...adminTools.calls.map((to) => ({ from: 'admin-tools', to })),
]

/** The services, the gateway and the pages. */
export const components = [...codeServices.map(({ name }) => name), 'gateway', 'pages']

/** Everything that calls a service or is one, and so has a certificate. */
export const tlsComponents = [...components, 'admin-tools']

/** The `readConfig` of a component's config.ts. */
export async function configReader(component: string): Promise<ReadConfig> {
  const folder = component === 'gateway' ? component : `services/${component}`
  const { readConfig } = await import(fileURLToPath(new URL(`../../../${folder}/src/config.ts`, import.meta.url)))
  return readConfig
}

/**
 * Every setting that a config.ts reads, with its error for an invalid value.
 * @param given values of settings that make it read other settings
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

/** The errors of a config.ts, such as "DATABASE_URL is missing". */
export function problemsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.replace(/^Invalid settings: |\.$/g, '').split('; ')
  }
}

export type ReadConfig = (env: Environment) => object

interface CodeService {
  name: string
  calls: readonly string[]
  redis: object | undefined
  secrets: Readonly<Record<string, unknown>>
}
