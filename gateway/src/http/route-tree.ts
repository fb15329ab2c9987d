/**
 * Finds routes by path. Takes one look-up per segment, however many routes there are; Express tries one expression per route,
 * which with its layers was a twelfth of the gateway's CPU time of a read. Paths are case-sensitive, and a final slash counts.
 *
 * @param routes by path, with `{name}` for each parameter. A literal segment takes precedence over a parameter:
 * `/customers/lookup` over `/customers/{customerId}`
 */
export function createRouteTree<Route>(routes: ReadonlyMap<string, Route>): RouteTree<Route> {
  const root = newNode<Route>()
  for (const [path, route] of routes) {
    const segments = path.split('/')
    const end = segments.reduce(childOf<Route>, root)
    end.found = {
      route,
      parameters: segments.flatMap((segment, at) => (isParameter(segment) ? [[nameOf(segment), at]] : [])),
    }
  }
  return (path) => {
    const segments = path.split('/')
    const found = find(root, segments, 0)
    if (found === undefined) return undefined
    const params: Record<string, string> = {}
    for (const [name, at] of found.parameters) params[name] = decode(segments[at] ?? '')
    return { route: found.route, params }
  }
}

/** @throws URIError if a parameter cannot be decoded */
export type RouteTree<Route> = (path: string) => { route: Route; params: Record<string, string> } | undefined

interface Node<Route> {
  literals: Map<string, Node<Route>>
  parameter: Node<Route> | undefined
  /** The route that ends here, with the name and position of each parameter. */
  found: { route: Route; parameters: [name: string, at: number][] } | undefined
}

function newNode<Route>(): Node<Route> {
  return { literals: new Map(), parameter: undefined, found: undefined }
}

function childOf<Route>(node: Node<Route>, segment: string): Node<Route> {
  if (isParameter(segment)) {
    node.parameter ??= newNode()
    return node.parameter
  }
  const child = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, child)
  return child
}

function find<Route>(node: Node<Route>, segments: readonly string[], at: number): Node<Route>['found'] {
  const segment = segments[at]
  if (segment === undefined) return node.found
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, at + 1)
  if (found !== undefined || node.parameter === undefined || segment === '') return found
  return find(node.parameter, segments, at + 1)
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}

function nameOf(segment: string): string {
  return segment.slice(1, -1)
}

function decode(segment: string): string {
  return segment.includes('%') ? decodeURIComponent(segment) : segment
}
