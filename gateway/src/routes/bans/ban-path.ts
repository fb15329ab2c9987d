import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const banPath = z.object({ banId: flakeId.describe('Id of the ban.') })
