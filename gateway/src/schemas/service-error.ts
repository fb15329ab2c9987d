import { errorCodes, validationKinds } from '@storekeep/common/errors'
import { z } from 'zod'

const validationErrorSchema = z
  .object({
    code: z.string().meta({ description: 'Stable reason; equals `validation` unless there is a finer one.' }),
    message: z.string().meta({ description: 'What to fix.' }),
    path: z.string().meta({ description: 'Dotted path of the member, `lines.0.quantity`.' }),
    validation: z.enum(validationKinds).meta({ description: 'The kind of check that failed.' }),
  })
  .meta({ id: 'ValidationError' })

/** Body of every answer that is not a success. */
export const serviceErrorSchema = z
  .object({
    status: z.int32().meta({ description: 'The HTTP status again.' }),
    code: z.enum(errorCodes).meta({ description: 'Stable; the list is closed.' }),
    message: z.string(),
    trace_id: z.string().nullable().meta({ description: 'W3C trace id; name it when you ask for help.' }),
    errors: z.array(validationErrorSchema).nullable(),
  })
  .meta({ id: 'ServiceError' })

export type ServiceError = z.infer<typeof serviceErrorSchema>
