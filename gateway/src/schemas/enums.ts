/**
 * The public name of a value that a service answered.
 * @param unknown the name of a value without one, where the contract has such a name
 * @throws Error otherwise: the value is of a newer service, and no caller could be told what it means
 */
export function nameOf<Name extends string, Value, Unknown extends string = never>(
  values: Readonly<Record<Name, Value>>,
  value: Value,
  unknown?: Unknown,
): Name | Unknown {
  for (const name in values) if (values[name] === value) return name
  if (unknown === undefined) throw new Error(`A service answered ${value}, which has no public name.`)
  return unknown
}

export function namesOf<Name extends string>(values: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(values) as Name[]
}
