import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const customerPath = z.object({ customerId: flakeId.describe('Id of the customer.') })
