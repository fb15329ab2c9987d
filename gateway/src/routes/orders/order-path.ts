import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const orderPath = z.object({ orderId: flakeId.describe('Id of the order.') })
