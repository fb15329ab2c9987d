import { errors } from '../errors/index.ts'

/**
 * Returns the fields that a field mask names.
 * @param names the names of the fields that may change
 * @throws ServiceFault `bad-request` if the mask contains an unknown field
 */
export function maskedFields<Field extends string>(
  names: Readonly<Record<Field, string>>,
  mask: readonly string[],
): Field[] {
  const fields = fieldsOf(names)
  return mask.map((path) => {
    const field = fields.find((one) => names[one] === path)
    if (field === undefined) throw errors.badRequest(`The field mask contains "${path}", which cannot be changed.`)
    return field
  })
}

/** Returns an object with only these fields; an absent field is undefined. */
export function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<T, K>
}

export function fieldsOf<Field extends string>(names: Readonly<Record<Field, string>>): Field[] {
  return Object.keys(names) as Field[]
}
