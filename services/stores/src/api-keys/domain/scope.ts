import { type Scope, scopedResources } from '@storekeep/proto/conventions/api-key'

export type { Scope } from '@storekeep/proto/conventions/api-key'

/** Every scope, sorted. Keys created without scopes get all of them. */
export const scopes: readonly Scope[] = scopedResources.flatMap((resource): Scope[] => [
  `${resource}:read`,
  `${resource}:write`,
])

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text)
}
