/** Removes fields that are null or undefined: rows have null where messages have no field. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Present<T>
}

/** Fields that are never null or undefined stay required; all others become optional. */
type Present<T> = Simplify<
  { [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K] } & {
    [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
  }
>

type Absent = null | undefined
type Simplify<T> = { [K in keyof T]: T[K] }
