import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const productPath = z.object({ productId: flakeId.describe('Id of the product.') })
