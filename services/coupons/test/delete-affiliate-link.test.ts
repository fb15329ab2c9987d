import { eventsOf, faultOf, randomId, violationsOf } from '@storekeep/common/testing'
import { describe, expect, it } from 'vitest'
import { createTestLink, useAffiliateLinks } from './affiliate-link-harness.ts'
import { inStore } from './harness.ts'

const links = useAffiliateLinks()
const remove = (affiliateLinkId: string, options = inStore()) =>
  links.client.deleteAffiliateLink({ affiliateLinkId }, options)

describe('DeleteAffiliateLink', () => {
  it('removes the link and frees its code', async () => {
    const options = inStore()
    const { id: affiliateLinkId, code } = await createTestLink(links, options)
    await remove(affiliateLinkId, options)
    const gone = links.client.getAffiliateLink({ affiliateLinkId }, options)
    expect(await faultOf(gone)).toMatchObject({ code: 'not-found' })
    expect(await faultOf(remove(affiliateLinkId, options))).toMatchObject({ code: 'not-found' })
    expect((await createTestLink(links, options, { code })).id).not.toBe(affiliateLinkId)
  })

  it('publishes the last state of the link, with the next version and who deleted it', async () => {
    const options = inStore()
    const link = await createTestLink(links, options)
    await remove(link.id, options)
    const last = { affiliateLink: { ...link, version: 2n }, deletedBy: options.actor }
    expect(await eventsOf(links, link.id)).toMatchObject([
      { type: 'affiliate_link.created', version: '1' },
      { type: 'affiliate_link.deleted', version: '2', message: last },
    ])
  })

  it('deletes once for 8 concurrent callers', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => remove(id, options)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'not-found' })
    expect(await eventsOf(links, id)).toHaveLength(2)
  })

  it('returns not-found for an unknown link and one of another store', async () => {
    const options = inStore()
    const { id } = await createTestLink(links, options)
    expect(await faultOf(remove(id))).toMatchObject({ code: 'not-found' })
    expect(await faultOf(remove(randomId(), options))).toMatchObject({ code: 'not-found' })
    expect(await violationsOf(remove('x', options))).toEqual(['affiliate_link_id format'])
    expect((await links.client.getAffiliateLink({ affiliateLinkId: id }, options)).affiliateLink?.id).toBe(id)
  })
})
