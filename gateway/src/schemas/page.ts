import { z } from 'zod'
import { fails, flakeId } from './fields.ts'

const limitRule = 'must be a whole number from 1 to 100'

/** Query parameters of every paged list (spec "Pagination parameters"). Spread it into the list's own query. */
export const pageQuery = {
  limit: z
    .string()
    .refine((text) => /^-?\d{1,9}$/.test(text), { abort: true, ...fails('type', limitRule) })
    .refine((text) => Number(text) >= 1, fails('min', limitRule))
    .refine((text) => Number(text) <= 100, fails('max', limitRule))
    .transform(Number)
    .default(50)
    .meta({
      description: 'How many at most.',
      override: ({ jsonSchema }) => {
        Object.assign(jsonSchema, { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 50 })
      },
    }),
  after: flakeId.optional().meta({ description: 'Only what follows this id in the chosen order. It need not exist.' }),
  before: flakeId.optional().meta({ description: 'Only what precedes this id, nearest to it, in the chosen order.' }),
  asc: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false)
    .meta({
      description: 'True: oldest first. False: newest first.',
      override: ({ jsonSchema }) => {
        delete jsonSchema.enum
        Object.assign(jsonSchema, { type: 'boolean', default: false })
      },
    }),
}

/** The page part of a list call to a service. */
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
