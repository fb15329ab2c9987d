import { faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()
const get = (affiliateLinkId: string, options = inStore()) =>
  links.client.getAffiliateLink({ affiliateLinkId }, options)

describe('GetAffiliateLink', () => {
  it('answers the link', async () => {
    const options = inStore()
    const link = await createTestLink(links, options)
    expect((await get(link.id, options)).affiliateLink).toEqual(link)
  })

  it('does not find an id that nobody has', async () => {
    expect(await faultOf(get(randomId()))).toMatchObject({ code: 'not-found' })
  })

  it('does not find a link of another store', async () => {
    const { id } = await createTestLink(links, inStore())
    expect(await faultOf(get(id))).toMatchObject({ code: 'not-found' })
  })

  it.each(['x', '0', '01', '-1', '9223372036854775808'])('refuses %j, which is no id', async (id) => {
    expect(await violationsOf(get(id))).toEqual(['affiliate_link_id format'])
  })
})
