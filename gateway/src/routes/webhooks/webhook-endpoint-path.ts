import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const webhookEndpointPath = z.object({ webhookEndpointId: flakeId.describe('Id of the webhook endpoint.') })
