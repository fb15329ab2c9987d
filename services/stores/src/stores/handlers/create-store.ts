import { conflictOn } from '@storekeep/common/postgres'
import { write } from '@storekeep/common/write'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { insertStore, uniqueSlug } from '../db/store-repository.ts'
import { checkStore } from '../domain/store-draft.ts'
import { publishStore } from '../events/publish.ts'
import { storeInputFromProto, storeToProto } from '../mappers.ts'

export function createStore(ctx: AppContext): StoresHandlers['createStore'] {
  return async (request, call) => {
    const draft = checkStore(storeInputFromProto(request))
    const created = write(ctx, call, request, async (tx) => {
      const row = await insertStore(tx, { ...draft, createdAt: ctx.clock.now() })
      await publishStore(tx, 'created', row, call)
      return { store: storeToProto(row) }
    })
    return conflictOn(uniqueSlug, created)
  }
}
