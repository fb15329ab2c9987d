import { errors } from '@storekeep/common/errors'
import type { AppContext, StoresHandlers } from '../../context.ts'
import { findStoreBySlug } from '../db/store-repository.ts'
import { isSlug } from '../domain/store-draft.ts'
import { storeToProto } from '../mappers.ts'

export function getStoreBySlug(ctx: AppContext): StoresHandlers['getStoreBySlug'] {
  return async ({ slug }) => {
    const row = isSlug(slug) ? await findStoreBySlug(ctx.database, slug) : undefined
    if (!row) throw errors.notFound('store')
    return { store: storeToProto(row) }
  }
}
