import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()
const get = (affiliateLinkId: string, options = inStore()) =>
  links.client.getAffiliateLink({ affiliateLinkId }, options)

describe('GetAffiliateLink', () => {
  it('returns the link', async () => {
    const options = inStore()
    const link = await createTestLink(links, options)
    expect((await get(link.id, options)).affiliateLink).toEqual(link)
  })

  it('returns not-found for an unknown id', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('returns not-found for a link of another store', async () => {
    const { id } = await createTestLink(links, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('rejects the malformed id %j', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['affiliate_link_id format'])
  })
})
