import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const affiliateLinkPath = z.object({ affiliateLinkId: flakeId.describe('Id of the affiliate link.') })
