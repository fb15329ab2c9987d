import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const gameServerPath = z.object({ gameServerId: flakeId.describe('Id of the game server.') })
