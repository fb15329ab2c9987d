import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const customerPath = z.object({ customerId: flakeId.describe('Id of the customer.') })
