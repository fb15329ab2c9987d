import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const checkoutPath = z.object({ checkoutId: flakeId.describe('Id of the checkout session.') })
