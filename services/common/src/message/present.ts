/** The members that have a value: messages leave out what rows hold as null. */
export function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null)) as Present<T>
}

/** Members that are never absent stay required, the others become optional. */
type Present<T> = Simplify<
  { [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K] } & {
    [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent>
  }
>

type Absent = null | undefined
type Simplify<T> = { [K in keyof T]: T[K] }
