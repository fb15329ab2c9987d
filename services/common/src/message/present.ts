/**
 * Sets fields that are null to undefined: rows have null where messages have no field. Changes and returns its argument, so
 * pass an object literal. A copy without these fields would cost more than the rest of a mapper.
 */
export function present<T extends object>(fields: T): Present<T> {
  const values = fields as Record<string, unknown>
  for (const name in values) if (values[name] === null) values[name] = undefined
  return fields as Present<T>
}

/** Fields that are never null or undefined stay required; all others become optional. */
type Present<T> = Simplify<
  { [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K] } & {
    [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
  }
>

type Absent = null | undefined
type Simplify<T> = { [K in keyof T]: T[K] }
