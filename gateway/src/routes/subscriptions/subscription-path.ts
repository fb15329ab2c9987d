import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const subscriptionPath = z.object({ subscriptionId: flakeId.describe('Id of the subscription.') })
