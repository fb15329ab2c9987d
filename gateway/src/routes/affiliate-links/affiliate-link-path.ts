import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one affiliate link. */
export const affiliateLinkPath = z.object({ affiliateLinkId: flakeId })
