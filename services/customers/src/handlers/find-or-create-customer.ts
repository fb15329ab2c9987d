import { errors } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import { write } from '@storekeep/common/write'
import type { CustomersService, FindOrCreateCustomerRequest } from '@storekeep/proto/customers/v1/customers_service'
import type { AppContext, CustomersHandlers } from '../context.ts'
import { findFirstCustomer } from '../db/customer-list-repository.ts'
import { insertCustomerIfFree } from '../db/customer-repository.ts'
import { retryLater } from '../db/open-player.ts'
import { findCustomerBySignInKey } from '../db/token-epoch-repository.ts'
import { newCustomer } from '../domain/customer-draft.ts'
import { checkLookup } from '../domain/customer-lookup.ts'
import { type AccountIds, checkAccount, type NamedAccount, requireNames } from '../domain/named-account.ts'
import { checkPlayer } from '../domain/sign-in.ts'
import { publishCustomerCreated } from '../events/publish.ts'
import { customerToProto } from '../mappers.ts'
import { findAccount, openAndPublish } from './open-player.ts'

/** The customer of an account that somebody named, who need not know of it. */
export function findOrCreateCustomer(ctx: AppContext): CustomersHandlers['findOrCreateCustomer'] {
  return async (request, call) => {
    const account = checkAccount(request)
    return account.kind === 'id' ? byIds(ctx, call, request, account.ids) : byName(ctx, call, request, account)
  }
}

async function byIds(ctx: AppContext, call: FindCall, request: FindOrCreateCustomerRequest, ids: AccountIds) {
  const storeId = requireStore(call)
  const criteria = checkLookup(ids)
  const find = async (db: Parameters<typeof findFirstCustomer>[0]) =>
    criteria && (await findFirstCustomer(db, storeId, criteria))
  const known = await find(ctx.database)
  if (known) return { customer: customerToProto(known) }
  return write(ctx, call, request, async (tx) => {
    const fresh = newCustomer({ ...nobody, ...ids })
    const row = await insertCustomerIfFree(tx, { ...fresh, storeId, createdAt: ctx.clock.now() })
    if (row) await publishCustomerCreated(tx, row, call)
    // A call at the same time was quicker; the insert has waited for it.
    const customer = row ?? (await find(tx))
    if (!customer) throw errors.unavailable(new Error('A customer changed its ids in the meantime.'))
    return { customer: customerToProto(customer) }
  })
}

/** As at sign-in: a typed name leads to the customer that signs in with it, and to no other. */
async function byName(
  ctx: AppContext,
  call: FindCall,
  request: FindOrCreateCustomerRequest,
  { platform, name }: NamedAccount & { kind: 'name' },
) {
  const storeId = requireStore(call)
  const store = await ctx.stores.get(storeId, call)
  requireNames(store)
  const player = checkPlayer(platform, name, store)
  const known = await findCustomerBySignInKey(ctx.database, storeId, player.signInKey)
  if (known) return { customer: customerToProto(known) }
  const account = await findAccount(ctx, player)
  return write(ctx, call, request, async (tx) => ({
    customer: customerToProto(await openAndPublish(ctx, tx, call, { player, account })),
  })).catch(retryLater)
}

const nobody = {
  steamId: null,
  minecraftUuid: null,
  minecraftPlatform: null,
  xboxXuid: null,
  name: null,
  metadata: {},
} as const

type FindCall = Call<typeof CustomersService.method.findOrCreateCustomer>
