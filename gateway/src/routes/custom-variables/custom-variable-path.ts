import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const customVariablePath = z.object({ customVariableId: flakeId.describe('Id of the custom variable.') })
