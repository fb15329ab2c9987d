import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters below one customer. */
export const customerPath = z.object({ customerId: flakeId })
