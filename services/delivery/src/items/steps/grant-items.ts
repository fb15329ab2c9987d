import { errors, type Violation, violation } from '@storekeep/common/errors'
import type { Call } from '@storekeep/common/grpc'
import { actorText } from '@storekeep/common/message'
import type { Queryable, Transaction } from '@storekeep/common/postgres'
import type { AppContext } from '../../context.ts'
import { findKnownPlayers } from '../../copies/db/player-repository.ts'
import { findLatestVersions, findProductVersions } from '../../copies/db/product-version-repository.ts'
import type { ProductVersion } from '../../copies/domain/product-version.ts'
import { insertItems } from '../db/item-repository.ts'
import { selectServers } from '../db/plan-repository.ts'
import { type Item, type NewItem, productOf, withoutSubscription } from '../domain/item.ts'
import type { ItemGrant } from '../domain/item-grants.ts'
import { draftItems } from './add-items.ts'
import { planCommands } from './plan-commands.ts'
import { recordChange } from './record-change.ts'

/** What grants refer to, as far as it is known. */
interface GrantReferences {
  versions: readonly (ProductVersion | undefined)[]
  violations: Violation[]
}

/** Finds the versions that are granted, and the references that are wrong. */
async function findReferences(db: Queryable, storeId: string, grants: readonly ItemGrant[]): Promise<GrantReferences> {
  const [players, byId, latest, servers] = await Promise.all([
    findKnownPlayers(db, storeId, [...new Set(grants.map(({ customerId }) => customerId))]),
    findProductVersions(db, storeId, [...new Set(grants.flatMap(({ productVersionId }) => productVersionId ?? []))]),
    findLatestVersions(db, storeId, [...new Set(grants.flatMap(({ productId }) => productId ?? []))]),
    selectServers(db, storeId),
  ])
  const versions = grants.map(({ productId = '', productVersionId = '' }) => {
    const version = byId.get(productVersionId) ?? latest.get(productId)
    return version?.deleted ? undefined : version
  })
  const violations = grants.flatMap(({ path, customerId, productId, gameServerId }, index) => [
    ...(players.has(customerId)
      ? []
      : [violation(`${path}customer_id`, 'reference', 'must be a customer of this store')]),
    ...(versions[index] ? [] : [unknownProduct(path, productId !== undefined)]),
    ...(gameServerId === undefined || servers.some(({ id }) => id === gameServerId)
      ? []
      : [violation(`${path}execute_on_gameserver_id`, 'reference', 'must be a game server of this store')]),
  ])
  return { versions, violations }
}

/**
 * Adds the items of valid grants, all or none, and queues their commands.
 * @throws ServiceFault `validation-failed` naming every wrong reference
 */
export async function grantItems(
  ctx: AppContext,
  tx: Transaction,
  storeId: string,
  grants: readonly ItemGrant[],
  call: Call,
): Promise<Item[]> {
  const { versions, violations } = await findReferences(tx, storeId, grants)
  if (violations.length > 0) throw errors.validationFailed(violations)
  const now = ctx.clock.now()
  const addedBy = actorText(call.actor)
  const items = grants.flatMap((grant, index) =>
    itemsOfGrant(grant, versions[index], { storeId, addedBy, addedAt: now }),
  )
  const added = await insertItems(tx, await draftItems(ctx, tx, items, undefined))
  for (const item of added) await recordChange(ctx, tx, 'added', item, call)
  const plans = added.map((item) => ({ item, stage: 'on_purchase' as const }))
  await planCommands(ctx, tx, storeId, plans, now, call)
  return added
}

function itemsOfGrant(
  grant: ItemGrant,
  version: ProductVersion | undefined,
  given: Pick<Item, 'storeId' | 'addedBy' | 'addedAt'>,
): NewItem[] {
  if (!version) return []
  const item = {
    ...given,
    ...withoutSubscription,
    ...productOf(version),
    customerId: grant.customerId,
    orderCustomerId: null,
    checkoutId: null,
    orderId: null,
    orderLine: null,
    executeOnGameserverId: grant.gameServerId ?? null,
    inlineTerms: null,
    orderFacts: null,
    customVariables: grant.customVariables,
    gift: false,
    skipCommands: grant.skipCommands,
    overrideExpiresAt: grant.overrideExpiresAt ?? null,
  }
  return Array.from({ length: grant.quantity }, (_, quantityIndex) => ({ ...item, quantityIndex }))
}

function unknownProduct(path: string, isProduct: boolean): Violation {
  return isProduct
    ? violation(`${path}product_id`, 'reference', 'must be a product of this store')
    : violation(`${path}product_version_id`, 'reference', 'must be a version of a product of this store')
}
