import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one product. */
export const productPath = z.object({ productId: flakeId })
