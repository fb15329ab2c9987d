import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const subscriptionPath = z.object({ subscriptionId: flakeId.describe('Id of the subscription.') })
