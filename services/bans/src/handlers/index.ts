import type { AppContext, BansHandlers } from '../context.ts'
import { checkBan } from './check-ban.ts'
import { createBan } from './create-ban.ts'
import { deleteBan } from './delete-ban.ts'
import { getBan } from './get-ban.ts'
import { listBans } from './list-bans.ts'
import { updateBan } from './update-ban.ts'

export function createHandlers(ctx: AppContext): BansHandlers {
  return {
    createBan: createBan(ctx),
    getBan: getBan(ctx),
    listBans: listBans(ctx),
    updateBan: updateBan(ctx),
    deleteBan: deleteBan(ctx),
    checkBan: checkBan(ctx),
  }
}
