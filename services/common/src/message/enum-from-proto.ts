/**
 * The domain value of a proto enum value: "invalid" if there is none, as for UNSPECIFIED or a value of a newer client;
 * undefined for an absent field.
 * @param toProto the proto value of each domain value
 */
export function enumFromProto<Name extends string, Value extends number>(
  toProto: Readonly<Record<Name, Value>>,
  value: Value,
): Name | 'invalid'
export function enumFromProto<Name extends string, Value extends number>(
  toProto: Readonly<Record<Name, Value>>,
  value: Value | undefined,
): Name | 'invalid' | undefined
export function enumFromProto<Name extends string, Value extends number>(
  toProto: Readonly<Record<Name, Value>>,
  value: Value | undefined,
): Name | 'invalid' | undefined {
  if (value === undefined) return undefined
  for (const name in toProto) if (toProto[name] === value) return name
  return 'invalid'
}
