import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const orderPath = z.object({ orderId: flakeId.describe('Id of the order.') })
