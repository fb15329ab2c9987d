import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one checkout session. */
export const checkoutPath = z.object({ checkoutId: flakeId })
