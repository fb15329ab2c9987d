import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceConfig } from '@storekeep/common/config'
import type { CallOptions } from '@storekeep/common/grpc'
import { type Env, randomId, type TestService, useService, withApiKey } from '@storekeep/common/testing'
import { type Ban, type BanInputSchema, BanType } from '@storekeep/proto/bans/v1/ban'
import { BansService } from '@storekeep/proto/bans/v1/bans_service'
import { file_storekeep_bans_v1_events as events } from '@storekeep/proto/bans/v1/events'
import { readConfig } from '../src/config.ts'
import { bans as service } from '../src/service.ts'

/** See `useService`. */
export function useBans(change?: (env: Env) => Promise<Env>): TestBans {
  return useService({ service, definition: BansService, events, readConfig, settings: {}, change })
}

export type TestBans = TestService<ServiceConfig, typeof BansService>

/** Call options with an API key of the store; of a new store unless one is given. */
export function inStore(storeId: string = randomId(), options: Partial<CallOptions> = {}) {
  return withApiKey(storeId, options)
}

export type Input = MessageInitShape<typeof BanInputSchema>

export function identity(type: keyof typeof BanType, banTypeValue: string) {
  return { banType: BanType[type], banTypeValue }
}

let counter = 0

/** An identity that is unique in the test run. */
export function newIdentity() {
  counter += 1
  return identity('STEAM', `7656119797${String(counter).padStart(7, '0')}`)
}

export async function createTestBan({ client }: TestBans, options: CallOptions, ban: Input = {}): Promise<Ban> {
  const created = await client.createBan({ ban: { identities: [newIdentity()], ...ban } }, options)
  if (!created.ban) throw new Error('CreateBan returned no ban')
  return created.ban
}
