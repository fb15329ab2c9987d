import { errors } from '@storekeep/common/errors'
import type { z } from 'zod'
import { violationsOf } from './violations.ts'

/** Parses the input. @throws ServiceFault `validation-failed` that names each invalid field */
export function parse<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw errors.validationFailed(violationsOf(result.error, input))
}
