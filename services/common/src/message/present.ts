/**
 * Copies fields, with undefined instead of null: rows have null where messages have no field. Keeping these properties makes
 * all copies of a row type alike, which is much faster than leaving them out.
 */
export function present<T extends object>(fields: T): Present<T> {
  const copy = { ...fields } as Record<string, unknown>
  for (const name in copy) if (copy[name] === null) copy[name] = undefined
  return copy as Present<T>
}

/** Fields that are never null or undefined stay required; all others become optional. */
type Present<T> = Simplify<
  { [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K] } & {
    [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
  }
>

type Absent = null | undefined
type Simplify<T> = { [K in keyof T]: T[K] }
