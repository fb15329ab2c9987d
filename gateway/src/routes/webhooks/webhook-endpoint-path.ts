import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

const webhookEndpointId = flakeId.describe('Id of the webhook endpoint.')

export const webhookEndpointPath = z.object({ webhookEndpointId })

export const deliveryPath = z.object({ webhookEndpointId, deliveryId: flakeId.describe('Id of the delivery.') })
