import type { Product } from './product.ts'

/** Why a product is not sold at a time, as the end of a sentence; undefined if it is. */
export function saleProblem(
  { enabled, enabledAt, enabledUntil }: Pick<Product, 'enabled' | 'enabledAt' | 'enabledUntil'>,
  now: Date,
): string | undefined {
  if (!enabled) return 'is not on sale'
  if (enabledAt !== null && enabledAt > now) return 'is not on sale yet'
  return enabledUntil !== null && enabledUntil <= now ? 'is no longer on sale' : undefined
}
