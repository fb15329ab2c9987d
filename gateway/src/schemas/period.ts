import { fails } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** An ISO 8601 duration of fixed length (weeks, days, hours, minutes, seconds), as whole seconds. */
export function period(range: { min: string; max: string }) {
  const [min = 0, max = 0] = [range.min, range.max].map(periodSeconds)
  return z
    .string()
    .refine((text) => periodSeconds(text) !== undefined, {
      abort: true,
      ...fails('format', 'must be an ISO 8601 duration such as PT1H'),
    })
    .refine((text) => (periodSeconds(text) ?? 0) >= min, fails('min', `must be at least ${range.min}`))
    .refine((text) => (periodSeconds(text) ?? 0) <= max, fails('max', `must be at most ${range.max}`))
    .transform((text) => periodSeconds(text) ?? 0)
    .meta({ override: { format: 'duration' }, example: 'PT1H' })
}

/** Rejects months and years, which have no fixed length, and a duration without any component. */
function periodSeconds(text: string): number | undefined {
  const match = pattern.exec(text)
  if (!match || text.endsWith('T') || text === 'P') return undefined
  const parts = match.slice(1).map((part) => Number(part ?? 0))
  return parts.reduce((sum, part, index) => sum + part * (unitSeconds[index] ?? 0), 0)
}

const pattern = /^P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/
const unitSeconds = [604_800, 86_400, 3_600, 60, 1]
