import { z } from 'zod'

/** A query parameter that is `true` or `false`, in any case. Default: false. */
export function queryFlag(description: string) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true')
    .default(false)
    .meta({ description, override: { type: 'boolean', default: false } })
}
