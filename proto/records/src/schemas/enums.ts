/**
 * The public name of an enum value in a service's response.
 * @param unknown the name for other values, where the contract has one
 * @throws Error for a value without a name, such as a newer service's
 */
export function nameOf<Name extends string, Value, Unknown extends string = never>(
  values: Readonly<Record<Name, Value>>,
  value: Value,
  unknown?: Unknown,
): Name | Unknown {
  for (const name in values) if (values[name] === value) return name
  if (unknown === undefined) throw new Error(`A service returned ${value}, which has no public name.`)
  return unknown
}

export function namesOf<Name extends string>(values: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(values) as Name[]
}
