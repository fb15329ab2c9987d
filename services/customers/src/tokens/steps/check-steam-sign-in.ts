import { errors, violation } from '@storekeep/common/errors'
import { type Call, requireStore } from '@storekeep/common/grpc'
import type { AppContext } from '../../context.ts'

/**
 * @throws ServiceFault `platform-not-allowed` when the store's players have no Steam accounts, `validation-failed` for an address that is not
 * of a store page
 */
export async function checkSteamSignIn(
  { stores, steamOpenId }: Pick<AppContext, 'stores' | 'steamOpenId'>,
  call: Call,
  returnTo: string,
): Promise<void> {
  const { game } = await stores.get(requireStore(call), call)
  if (game !== undefined) throw errors.platformNotAllowed('The game of this store has no Steam accounts.')
  if (!steamOpenId.isReturnAddress(returnTo)) {
    throw errors.validationFailed([violation('return_to', 'format', 'must be the address of a store page')])
  }
}
