import type { Command } from '../command.ts'
import { cancelCheckout } from './cancel-checkout.ts'
import { completeCheckout } from './complete-checkout.ts'
import { createKey } from './create-key.ts'
import { createStore } from './create-store.ts'
import { listKeys } from './list-keys.ts'
import { listStores } from './list-stores.ts'
import { listen } from './listen.ts'
import { rebuildSearch } from './rebuild-search.ts'
import { replayDeadLetters } from './replay-dead-letters.ts'
import { revokeKey } from './revoke-key.ts'
import { revokeStoreTokens } from './revoke-store-tokens.ts'
import { updateStore } from './update-store.ts'
import { verifySearch } from './verify-search.ts'

export const commands: readonly Command[] = [
  createStore,
  updateStore,
  listStores,
  createKey,
  listKeys,
  revokeKey,
  revokeStoreTokens,
  completeCheckout,
  cancelCheckout,
  listen,
  replayDeadLetters,
  rebuildSearch,
  verifySearch,
]
