import { errors } from '@storekeep/common/errors'
import type { z } from 'zod'
import { violationsOf } from './violations.ts'

/** The input as its schema gives it. @throws ServiceFault `validation-failed` naming each wrong member */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw errors.validationFailed(violationsOf(result.error, input))
}
