import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const tagPath = z.object({ tagId: flakeId.describe('Id of the tag.') })
