import { AdminError } from './command.ts'

/** `minecraft_offline` for Game.MINECRAFT_OFFLINE. */
export function enumName(names: Readonly<Record<string, number>>, value: number): string {
  const [name = ''] = Object.entries(names).find(([, number]) => number === value) ?? []
  return name.toLowerCase()
}

/** The names of all values but UNSPECIFIED. */
export function enumNames(names: Readonly<Record<string, number>>): string[] {
  return Object.keys(names).flatMap((name) => (name === 'UNSPECIFIED' ? [] : [name.toLowerCase()]))
}

/** @throws AdminError that names the option if no value has this name */
export function enumValue<Value extends number>(
  names: Readonly<Record<string, Value>>,
  name: string,
  option: string,
): Value {
  const value = names[name.toUpperCase()]
  if (value === undefined || value === 0)
    throw new AdminError(`${option} must be one of ${enumNames(names).join(', ')}.`)
  return value
}
