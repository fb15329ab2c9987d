import type { Transaction } from '@storekeep/common/postgres'
import { findPlayers, lockPlayers } from '../../copies/db/player-repository.ts'
import { findProductVersions } from '../../copies/db/product-version-repository.ts'
import { findStore } from '../../copies/db/store-copy-repository.ts'
import type { DeliveryTerms } from '../../copies/domain/delivery-terms.ts'
import { type Player, type StoreGame, uuidOnServer } from '../../copies/domain/player.ts'
import type { ProductVersion } from '../../copies/domain/product-version.ts'
import { selectGlobalCommands } from '../../global-commands/db/global-command-repository.ts'
import type { GlobalCommand } from '../../global-commands/domain/global-command.ts'
import { selectServers } from '../db/plan-repository.ts'
import { after } from '../domain/expiry.ts'
import type { Item } from '../domain/item.ts'
import type { TargetServer } from '../domain/planned-commands.ts'
import type { ReleaseValues } from '../domain/release-values.ts'
import { playerNameOf, renderCommand } from '../domain/render-command.ts'

/** What the commands of some items of a store are planned and rendered from. */
export interface StoreFacts {
  storeId: string
  store: StoreGame | undefined
  players: ReadonlyMap<string, Player>
  versions: ReadonlyMap<string, ProductVersion>
  servers: readonly TargetServer[]
  globals: readonly GlobalCommand[]
}

/**
 * Reads what commands are planned and rendered from, and locks the customers against changes. A transaction that also locks items
 * locks them first, and queues after the customers.
 * @param items of the store
 */
export async function loadFacts(tx: Transaction, storeId: string, items: readonly Item[]): Promise<StoreFacts> {
  // Before the store, so that an event of the store either waits for the customers or is seen.
  const players = await lockPlayers(tx, storeId, customersOf(items))
  return await factsAbout(tx, storeId, items, players)
}

/**
 * Reads what existing commands are rendered from, without locking the customers. For a transaction that has locked the queues of the
 * commands: an event of any of the customers locks them, too, and renders the commands after it.
 * @param items of the store
 */
export async function readFacts(tx: Transaction, storeId: string, items: readonly Item[]): Promise<StoreFacts> {
  return await factsAbout(tx, storeId, items, await findPlayers(tx, storeId, customersOf(items)))
}

async function factsAbout(
  tx: Transaction,
  storeId: string,
  items: readonly Item[],
  players: ReadonlyMap<string, Player>,
): Promise<StoreFacts> {
  const versionIds = new Set(items.flatMap(({ productVersionId }) => productVersionId ?? []))
  const [versions, servers, globals, store] = await Promise.all([
    findProductVersions(tx, storeId, [...versionIds]),
    selectServers(tx, storeId),
    selectGlobalCommands(tx, storeId),
    findStore(tx, storeId),
  ])
  return { storeId, store, players, versions, servers, globals }
}

function customersOf(items: readonly Item[]): string[] {
  return [...new Set(items.flatMap(({ customerId, orderCustomerId }) => [customerId, orderCustomerId ?? customerId]))]
}

/** The terms that an item was bought with; undefined if its version is not known yet. */
export function termsOf(item: Item, { versions }: Pick<StoreFacts, 'versions'>): DeliveryTerms | undefined {
  if (item.inlineTerms) return item.inlineTerms
  // Without a version there is nothing that could arrive later.
  return item.productVersionId === null ? noTerms : versions.get(item.productVersionId)?.terms
}

/**
 * A command as it is queued: rendered, or blocked for the values that are missing, with the identities of the player.
 * @param values of the staff, for placeholders that have none. Default: none
 */
export function renderFor(
  item: Item,
  template: string,
  gameServer: { id: string; name: string },
  facts: StoreFacts,
  now: Date,
  values: ReleaseValues = {},
) {
  const { players, store } = facts
  const customer = players.get(item.customerId)
  const buyer = item.orderCustomerId === null ? undefined : players.get(item.orderCustomerId)
  const removeAfter = termsOf(item, facts)?.removeAfter
  const expiresAt = item.expiresAt ?? (removeAfter ? after(item.activeAt ?? now, removeAfter) : null)
  const answersAreChecked = isChecked(item, template, facts)
  const rendering = { item, expiresAt, gameServer, store, customer, buyer, answersAreChecked, values }
  const { command, missing } = renderCommand(template, rendering)
  return {
    command,
    missingPlaceholders: missing,
    steamId: customer?.steamId ?? null,
    minecraftUuid: customer ? uuidOnServer(customer) : null,
    customerName: customer ? playerNameOf(customer, store) : null,
  }
}

/**
 * Whether checkout has checked the answers of the item for the command: it is one of the product's own. An item keeps the version
 * that was bought, so the answer is the same whenever the command is rendered again.
 */
function isChecked(item: Item, template: string, facts: StoreFacts): boolean {
  const own = termsOf(item, facts)?.commands ?? []
  return item.orderId !== null && own.some(({ content }) => content === template)
}

const noTerms: DeliveryTerms = { gameServerIds: [], commands: [], removeAfter: null }
