/** What an API key may be allowed to do: read or write one kind of resource. */
export type Scope = `${Resource}:${Access}`

/** Every scope there is, sorted. A key made without naming scopes gets all of these. */
export const scopes: readonly Scope[] = resources().flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
])

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}

type Resource = ReturnType<typeof resources>[number]
type Access = 'read' | 'write'

function resources() {
  return [
    'affiliate-links',
    'bans',
    'checkouts',
    'coupons',
    'custom-variables',
    'customers',
    'products',
    'search',
  ] as const
}
