import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const checkoutPath = z.object({ checkoutId: flakeId.describe('Id of the checkout session.') })
