import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, FindOrCreateCustomerRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findCustomerBySignInKey } from '../../tokens/db/token-epoch-repository.ts'
import { findOrCreatePlayer, lookUpAccount } from '../../tokens/steps/find-or-create-player.ts'
import { findOldestCustomer } from '../db/customer-list-repository.ts'
import { insertCustomerIfFree } from '../db/customer-repository.ts'
import {
  type AccountIds,
  type AccountReference,
  checkAccountReference,
  requireNamedPlayers,
} from '../domain/account-reference.ts'
import { emptyDraft, newCustomer } from '../domain/customer-draft.ts'
import { checkLookup, type LookupInput } from '../domain/customer-lookup.ts'
import { checkPlayer } from '../domain/sign-in.ts'
import { publishCustomerCreated } from '../events/publish.ts'
import { customerToProto } from '../mappers.ts'

/** Finds or creates the customer of an account that a caller referred to, such as the recipient of a gift. */
export function findOrCreateCustomer(ctx: AppContext): CustomersHandlers['findOrCreateCustomer'] {
  return async (request, call) => {
    const reference = checkAccountReference(request)
    switch (reference.kind) {
      case 'id':
        return byIds(ctx, call, request, reference.ids)
      case 'name':
        return byName(ctx, call, request, reference)
      case 'existing':
        return existing(ctx, call, reference.lookup)
    }
  }
}

async function byIds(ctx: AppContext, call: FindCall, request: FindOrCreateCustomerRequest, ids: AccountIds) {
  const storeId = requireStore(call)
  const criteria = checkLookup(ids)
  const find = async (db: Parameters<typeof findOldestCustomer>[0]) =>
    criteria && (await findOldestCustomer(db, storeId, criteria))
  const known = await find(ctx.database)
  if (known) return { customer: customerToProto(known) }
  return write(ctx, call, request, async (tx) => {
    const customer = { ...newCustomer({ ...emptyDraft, ...ids }), id: await ctx.ids.next() }
    const row = await insertCustomerIfFree(tx, { ...customer, storeId, createdAt: ctx.clock.now() })
    if (row) await publishCustomerCreated(tx, row, call)
    // A concurrent call inserted first; this insert waited for it.
    const found = row ?? (await find(tx))
    if (!found) throw errors.unavailable(new Error('the ids of a customer changed concurrently'))
    return { customer: customerToProto(found) }
  })
}

/** As at sign-in, a typed name leads only to the customer that signs in with it (decision 0021). */
async function byName(
  ctx: AppContext,
  call: FindCall,
  request: FindOrCreateCustomerRequest,
  { platform, name }: AccountReference & { kind: 'name' },
) {
  const storeId = requireStore(call)
  const store = await ctx.stores.get(storeId, call)
  requireNamedPlayers(store)
  const player = checkPlayer(platform, name, store)
  const known = await findCustomerBySignInKey(ctx.database, storeId, player.signInKey)
  if (known) return { customer: customerToProto(known) }
  const account = await lookUpAccount(ctx, player)
  return write(ctx, call, request, async (tx) => ({
    customer: customerToProto(await findOrCreatePlayer(ctx, tx, call, { player, account })),
  }))
}

async function existing(ctx: AppContext, call: FindCall, lookup: LookupInput) {
  const criteria = checkLookup(lookup)
  const row = criteria && (await findOldestCustomer(ctx.database, requireStore(call), criteria))
  if (!row) throw errors.validationFailed([violation('id', 'reference', 'is not a customer of this store')])
  return { customer: customerToProto(row) }
}

type FindCall = Call<typeof CustomersService.method.findOrCreateCustomer>
