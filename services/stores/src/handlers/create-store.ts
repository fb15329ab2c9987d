import { errors, violation } from '@storekeep/common/errors'
import { write } from '@storekeep/common/write'
import type { AppContext } from '../context.ts'
import { insertStore } from '../db/store-repository.ts'
import { checkStore } from '../domain/store.ts'
import { publishStoreCreated } from '../events/publish.ts'
import { storeInputFromProto, storeToProto } from '../mappers.ts'
import type { StoresHandlers } from './index.ts'

export function createStore(ctx: AppContext): StoresHandlers['createStore'] {
  return async (request, call) => {
    const draft = checkStore(storeInputFromProto(request))
    return write(ctx, call, request, async (tx) => {
      const row = await insertStore(tx, draft)
      if (!row) throw slugTaken()
      await publishStoreCreated(tx, row, call)
      return { store: storeToProto(row) }
    })
  }
}

function slugTaken() {
  return errors.conflict('Another store has this slug.', [violation('slug', 'unique', 'is taken')])
}
