import { faultOf } from '@storekeep/common/testing'
import { Game } from '@storekeep/proto/stores/v1/store'
import { describe, expect, it } from 'vitest'
import { inStore, useCustomers } from './harness.ts'

const customers = useCustomers()

async function keyOf(platform: string, id: string, storeId: string): Promise<string> {
  return (await customers.client.getSignInKey({ platform, id }, inStore(storeId))).signInKey
}

describe('GetSignInKey', () => {
  it('is the same for every spelling of a Java name', async () => {
    const storeId = customers.stores.add()
    const key = await keyOf('minecraft', 'Notch', storeId)
    for (const spelling of ['notch', 'NOTCH', ' Notch ']) {
      expect(await keyOf('minecraft', spelling, storeId)).toBe(key)
      expect(await keyOf('minecraft_java_name', spelling, storeId)).toBe(key)
    }
    expect(await keyOf('minecraft', 'Notch2', storeId)).not.toBe(key)
  })

  it('is the same for a gamertag with and without the prefix of a Geyser store', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT_GEYSER, '*')
    const key = await keyOf('minecraft', '*Zo\u00eb', storeId)
    expect(await keyOf('minecraft_bedrock_name', 'Zoe\u0308', storeId)).toBe(key)
    expect(await keyOf('minecraft_bedrock_name', '*ZO\u00cb', storeId)).toBe(key)
    expect(await keyOf('minecraft', '*zoe\u0308', storeId)).toBe(key)
    expect(await keyOf('minecraft', 'Zo\u00eb', storeId)).not.toBe(key)
    expect(await keyOf('minecraft_java_name', '*Zo\u00eb', storeId)).not.toBe(key)
  })

  it('keeps the prefix on other stores', async () => {
    const storeId = customers.stores.add(Game.MINECRAFT, '*')
    expect(await keyOf('minecraft_bedrock_name', '*Star', storeId)).not.toBe(
      await keyOf('minecraft_bedrock_name', 'Star', storeId),
    )
  })

  it('is returned for names and stores that cannot sign in, so that they are limited, too', async () => {
    expect(await keyOf('steam', '7', customers.stores.add(Game.RUST))).not.toBe('')
    expect(await keyOf('minecraft', 'no name!', customers.stores.add())).not.toBe('')
  })

  it('returns not-found for an unknown store', async () => {
    expect(await faultOf(keyOf('minecraft', 'Notch', inStore().storeId ?? ''))).toMatchObject({ code: 'not-found' })
  })
})
