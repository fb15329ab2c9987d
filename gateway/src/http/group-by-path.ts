import type { Endpoint } from './endpoint.ts'

/**
 * Groups the endpoints by path, in the order in which the router must try them: `/customers/lookup` before
 * `/customers/{customerId}`.
 */
export function groupByPath(endpoints: readonly Endpoint[]): PathGroup[] {
  const groups = Map.groupBy(endpoints, ({ path }) => path)
  return [...groups].map(([path, methods]) => toGroup(path, methods)).sort(literalsFirst)
}

export interface PathGroup {
  /** As declared, with `{name}` for each parameter. */
  path: string
  /** In Express syntax, with `:name`. */
  expressPath: string
  methods: readonly Endpoint[]
  /** Methods in the Allow header. */
  allow: readonly string[]
  isStorefront: boolean
}

function toGroup(path: string, methods: readonly Endpoint[]): PathGroup {
  const names = methods.map(({ method }) => method.toUpperCase())
  if (new Set(names).size < names.length) throw new Error(`${path} declares a method twice`)
  return {
    path,
    expressPath: path.replace(/\{(\w+)\}/g, ':$1'),
    methods,
    allow: names.includes('GET') ? [...names, 'HEAD'] : names,
    isStorefront: path === '/v1/store' || path.startsWith('/v1/store/'),
  }
}

function literalsFirst(a: PathGroup, b: PathGroup): number {
  const [left, right] = [a, b].map(({ path }) =>
    path
      .split('/')
      .map((part) => (part.startsWith('{') ? '1' : '0'))
      .join(''),
  )
  return (left ?? '').localeCompare(right ?? '')
}
