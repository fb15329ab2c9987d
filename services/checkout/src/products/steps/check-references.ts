import { errors, type Violation, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'
import { findProductIds } from '../db/product-repository.ts'
import { type Product, productFields } from '../domain/product.ts'
import {
  gameServerReferences,
  type References,
  unknownVariables,
  variablesInCommands,
} from '../domain/product-references.ts'

/**
 * Asserts that everything exists that the changed fields of a product name. Calls a service only if the terms name something of it.
 * Do not call within a transaction.
 * @param changed the fields that the caller has set
 * @throws ServiceFault `validation-failed` naming each unknown custom variable, game server and required product;
 * `service-unavailable` if this cannot be checked
 */
export async function checkReferences(
  ctx: AppContext,
  call: Call,
  terms: References,
  changed: ReadonlySet<keyof Product>,
): Promise<void> {
  const found = await Promise.all([
    findVariableViolations(ctx, call, terms, changed),
    unknownGameServers(ctx, call, terms, changed),
    changed.has('requiredProductIds') ? unknownProducts(ctx, call, terms) : [],
  ])
  const violations = found.flat()
  if (violations.length > 0) throw errors.validationFailed(violations)
}

/** Whether a change of these fields needs the whole product to check what it names. */
export function mayReferTo(changed: ReadonlySet<keyof Product>): boolean {
  const references: (keyof References)[] = ['customVariableIds', 'commands', 'gameServerIds', 'requiredProductIds']
  return references.some((field) => changed.has(field))
}

/** For a new product. */
export const everyField = new Set(Object.keys(productFields) as (keyof Product)[])

async function findVariableViolations(
  ctx: AppContext,
  call: Call,
  terms: References,
  changed: ReadonlySet<keyof Product>,
): Promise<Violation[]> {
  const { customVariableIds: ids } = terms
  const hasChanged = changed.has('customVariableIds')
  const isUsed = (hasChanged || changed.has('commands')) && variablesInCommands(terms).size > 0
  if (!isUsed) return hasChanged ? await ctx.variables.findUnknown(ids, call) : []
  const known: ReadonlyMap<string, string> = ids.length === 0 ? new Map() : await ctx.variables.identifiers(call)
  const unknown = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [violation(`custom_variable_ids.${index}`, 'reference', 'is not a custom variable of this store')],
  )
  const identifiers = new Set(ids.flatMap((id) => known.get(id) ?? []))
  return [...(hasChanged ? unknown : []), ...unknownVariables(terms, identifiers)]
}

async function unknownGameServers(
  ctx: AppContext,
  call: Call,
  terms: References,
  changed: ReadonlySet<keyof Product>,
): Promise<Violation[]> {
  const named = gameServerReferences(terms).filter(({ field }) => changed.has(field))
  return await ctx.gameServers.findUnknown(named, call)
}

async function unknownProducts(ctx: AppContext, call: Call, { requiredProductIds }: References): Promise<Violation[]> {
  if (requiredProductIds.length === 0) return []
  const known = new Set(await findProductIds(ctx.database, requireStore(call), requiredProductIds))
  return requiredProductIds.flatMap((id, index) =>
    known.has(id) ? [] : [violation(`required_product_ids.${index}`, 'reference', 'is not a product in this store')],
  )
}
