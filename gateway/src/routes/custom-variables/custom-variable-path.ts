import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const customVariablePath = z.object({ customVariableId: flakeId.describe('Id of the custom variable.') })
