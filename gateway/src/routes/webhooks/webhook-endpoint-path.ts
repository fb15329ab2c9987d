import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const webhookEndpointPath = z.object({ webhookEndpointId: flakeId.describe('Id of the webhook endpoint.') })
