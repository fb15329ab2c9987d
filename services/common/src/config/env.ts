/**
 * Thrown when settings are missing or wrong. The message is one line that names every such setting; values are
 * never quoted, since they may be secrets.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads settings out of the environment, collecting everything that is missing or wrong, so that one start tells
 * about all of it. Only a `config.ts` may hand in `process.env`.
 *
 * A setting that is absent or an empty string takes its default; without a default it is missing.
 */
export function createEnvReader(env: Environment): EnvReader {
  // A set: a setting may be read for several things.
  const problems = new Set<string>()

  function read<T>(name: string, fallback: T | undefined, parse: (text: string) => T | Problem): T {
    const text = env[name]?.trim()
    if (text === undefined || text === '') {
      if (fallback !== undefined) return fallback
      problems.add(`${name} is missing`)
      return undefined as T
    }
    const value = parse(text)
    if (!(value instanceof Problem)) return value
    problems.add(`${name} ${value.text}`)
    return undefined as T
  }

  return {
    string: (name, fallback) => read(name, fallback, (text) => text),
    optional: (name) => env[name]?.trim() || undefined,
    integer: (name, { min, max, fallback }) =>
      read(name, fallback, (text) => {
        const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
        return value >= min && value <= max ? value : new Problem(`must be a whole number from ${min} to ${max}`)
      }),
    boolean: (name, fallback) =>
      read(name, fallback, (text) =>
        text === 'true' ? true : text === 'false' ? false : new Problem('must be true or false'),
      ),
    oneOf: (name, choices, fallback) =>
      read(name, fallback, (text) => {
        const choice = choices.find((one) => one === text)
        return choice ?? new Problem(`must be one of ${choices.join(', ')}`)
      }),
    url: (name, protocols, fallback) =>
      read(name, fallback, (text) => {
        const expected = `must be an address that starts with ${protocols.map((one) => `${one}//`).join(' or ')}`
        return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : new Problem(expected)
      }),
    list: (name, fallback) =>
      read(name, fallback, (text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      ),
    custom: (name, parse, fallback) =>
      read(name, fallback, (text) => {
        try {
          return parse(text)
        } catch (error) {
          return new Problem(error instanceof Error ? error.message : 'is not valid')
        }
      }),
    keys32: (name) =>
      read(name, undefined, (text) => {
        const keys = text.split(',').map((one) => Buffer.from(one.trim(), 'base64url'))
        return keys.every(({ length }) => length === 32) ? keys : new Problem('must hold keys of 32 bytes in base64url')
      }),
    finish: () => {
      if (problems.size > 0) throw new ConfigError(`Invalid settings: ${[...problems].join('; ')}.`)
    },
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvReader {
  string(name: string, fallback?: string): string
  /** A setting that may be left out altogether. */
  optional(name: string): string | undefined
  integer(name: string, range: { min: number; max: number; fallback?: number }): number
  boolean(name: string, fallback?: boolean): boolean
  oneOf<const T extends string>(name: string, choices: readonly T[], fallback?: T): T
  /** An absolute address with one of these protocols, each with its colon (`postgres:`). */
  url(name: string, protocols: readonly string[], fallback?: string): string
  /** Comma-separated. */
  list(name: string, fallback?: readonly string[]): readonly string[]
  /** `parse` throws an Error whose message continues the setting's name ("must be …"). */
  custom<T>(name: string, parse: (text: string) => T, fallback?: T): T
  /** One or several keys of 32 random bytes in base64url, with commas between them. */
  keys32(name: string): readonly Buffer[]
  /** Throws ConfigError when anything read so far was missing or wrong. Call it before using the values. */
  finish(): void
}

class Problem {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
