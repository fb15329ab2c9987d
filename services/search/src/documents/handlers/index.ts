import type { AppContext, SearchHandlers } from '../../context.ts'
import { search } from './search.ts'

export function createDocumentHandlers(ctx: AppContext): Pick<SearchHandlers, 'search'> {
  return { search: search(ctx) }
}
