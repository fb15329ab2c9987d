import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const banPath = z.object({ banId: flakeId.describe('Id of the ban.') })
