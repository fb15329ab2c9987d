import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one ban. */
export const banPath = z.object({ banId: flakeId })
