import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

/** For whom the stock of products is returned. */
export const stockQuery = z.object({
  customer_id: flakeId.optional().describe('Customer of `stock_available.customer_available`.'),
})

export const productPath = z.object({ productId: flakeId.describe('Id of the product.') })
