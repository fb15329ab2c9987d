import type { Store } from '@storekeep/proto/stores/v1/store'
import type { Language } from '../texts/language.ts'

/** Who sells, how to reach them, and their legal pages: the same in every email. */
export function footerOf({ seller, links, supportEmail, websiteUrl, name }: Store, { texts }: Language): Footer {
  const lines = (text: string | undefined) => (text ?? '').split('\n').flatMap((line) => line.trim() || [])
  const sellerLines = [...lines(seller?.name), ...lines(seller?.address)]
  return {
    details: [
      ...(sellerLines.length === 0 ? [] : [`${texts.soldBy} ${sellerLines.join(', ')}`]),
      ...(seller?.taxId ? [texts.taxId(seller.taxId)] : []),
      ...(seller?.register ? [texts.register(seller.register)] : []),
      ...(supportEmail ? [texts.questions(supportEmail)] : []),
    ],
    links: [
      ...(websiteUrl ? [{ label: name, url: websiteUrl }] : []),
      ...(links?.terms ? [{ label: texts.terms, url: links.terms }] : []),
      ...(links?.privacy ? [{ label: texts.privacy, url: links.privacy }] : []),
      ...(links?.refunds ? [{ label: texts.refunds, url: links.refunds }] : []),
    ],
  }
}

interface Footer {
  details: string[]
  links: { label: string; url: string }[]
}
