import { errors } from '../errors/index.ts'

/** The fields that an update may change, by their names in a field mask. */
export type MaskFields<Field> = Readonly<Record<string, Field>>

/**
 * Returns the fields that a field mask names.
 * @throws ServiceFault `bad-request` if the mask contains an unknown field
 */
export function maskedFields<Field>(known: MaskFields<Field>, mask: readonly string[]): Field[] {
  return mask.map((path) => {
    const field = Object.hasOwn(known, path) ? known[path] : undefined
    if (field === undefined) throw errors.badRequest(`The field mask contains "${path}", which cannot be changed.`)
    return field
  })
}

/** Returns an object with only these fields; an absent field is undefined. */
export function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<T, K>
}
