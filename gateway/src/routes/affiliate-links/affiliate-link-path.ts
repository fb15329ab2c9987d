import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const affiliateLinkPath = z.object({ affiliateLinkId: flakeId.describe('Id of the affiliate link.') })
