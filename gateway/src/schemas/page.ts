import type { PageInfo } from '@storekeep/proto/common/v1/page'
import { pageLimits } from '@storekeep/proto/conventions/limits'
import { fails, flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'
import { queryFlag } from './query-flag.ts'

const limitRule = `must be an integer from 1 to ${pageLimits.max}`

/** Query parameters of every paged list (spec "Pagination parameters"). Spread them into the query of the list. */
export const pageQuery = {
  limit: z
    .string()
    .refine((text) => /^-?\d{1,9}$/.test(text), { abort: true, ...fails('type', limitRule) })
    .refine((text) => Number(text) >= 1, fails('min', limitRule))
    .refine((text) => Number(text) <= pageLimits.max, fails('max', limitRule))
    .transform(Number)
    .default(pageLimits.default)
    .meta({
      description: 'Maximum number of items on the page.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, {
          type: 'integer',
          format: 'int32',
          minimum: 1,
          maximum: pageLimits.max,
          default: pageLimits.default,
        })
      },
    }),
  after: flakeId
    .optional()
    .meta({ description: 'Cursor: returns the items that follow this id in the chosen order. The id need not exist.' }),
  before: flakeId.optional().meta({
    description:
      'Cursor: returns the items that immediately precede this id, in the chosen order. The id need not exist.',
  }),
  asc: queryFlag('`true` returns the oldest items first, `false` the newest.'),
}

/** The page of a list request to a service. */
export function pageRequest(query: PageQuery) {
  const { limit, after, before, asc } = query
  return { limit, asc, ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
}

export interface PageQuery {
  limit: number
  after?: string | undefined
  before?: string | undefined
  asc: boolean
}

/** The data of the Link header of a page. */
export interface PageLinks {
  query: PageQuery
  info: PageInfo | undefined
  firstId: string | undefined
  lastId: string | undefined
}
