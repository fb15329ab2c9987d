import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const productPath = z.object({ productId: flakeId.describe('Id of the product.') })
