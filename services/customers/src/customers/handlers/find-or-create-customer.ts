import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, FindOrCreateCustomerRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext, CustomersHandlers } from '../../context.ts'
import { findCustomerBySignInKey } from '../../tokens/db/token-epoch-repository.ts'
import { findOrCreatePlayer, lookUpAccount } from '../../tokens/steps/find-or-create-player.ts'
import { findOldestCustomer } from '../db/customer-list-repository.ts'
import {
  type AccountIds,
  type AccountReference,
  checkAccountReference,
  requireNamedPlayers,
} from '../domain/account-reference.ts'
import { checkLookup, type LookupInput } from '../domain/customer-lookup.ts'
import { checkPlayer } from '../domain/sign-in.ts'
import { customerToProto } from '../mappers.ts'
import { findOrInsertCustomer } from '../steps/find-or-insert-customer.ts'

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
  const known = criteria && (await findOldestCustomer(ctx.database, storeId, criteria))
  if (known) return { customer: customerToProto(known) }
  return write(ctx, call, request, async (tx) => ({
    customer: customerToProto(await findOrInsertCustomer(ctx, tx, call, ids)),
  }))
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
