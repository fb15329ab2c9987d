import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one custom variable. */
export const customVariablePath = z.object({ customVariableId: flakeId })
