import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type TestGateway, useGateway } from './harness.ts'
import { newId } from './ids.ts'

describe('the access log', () => {
  const all = useGateway()
  const notable = useGateway({ ACCESS_LOG_RATIO: '0' })

  it('has a line for every request by default', async () => {
    await mintToken(all)
    await expect.poll(() => statusesIn(all)).toEqual([200])
  })

  it('has only failed and slow requests with a ratio of 0', async () => {
    const { overrides } = notable.services
    await mintToken(notable)
    overrides.mintToken = () => Promise.reject(new Error('broken'))
    await mintToken(notable)
    overrides.mintToken = async () => {
      await sleep(1100)
      return { token: 'skcus_minted' }
    }
    await mintToken(notable)
    delete overrides.mintToken
    await expect.poll(() => statusesIn(notable)).toEqual([500, 200])
  })
})

async function mintToken(gateway: TestGateway): Promise<void> {
  await gateway.newStore().send('POST', `/customers/${newId()}/tokens`)
}

function statusesIn({ logLines }: TestGateway): number[] {
  const lines = logLines.map((line) => JSON.parse(line) as { msg: string; status: number })
  return lines.filter(({ msg }) => msg === 'request').map(({ status }) => status)
}
