import { imageAddress } from '@storekeep/proto/conventions/image-address'
import type { Message } from '../mailer.ts'
import { languageOf } from '../texts/language.ts'
import { contentOf } from './content.ts'
import type { EmailFacts } from './email-facts.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'

/** Writes an email. @param checkoutBaseUrl where it loads the logo of the store from */
export async function composeEmail(facts: EmailFacts, checkoutBaseUrl: string): Promise<Omit<Message, 'messageId'>> {
  const { store, address } = facts
  const logoUrl = store.logoUrl && imageAddress(checkoutBaseUrl.replace(/\/$/, ''), store.id, store.logoUrl, 256)
  const language = languageOf(facts.locale)
  const content = contentOf(facts, language)
  return {
    to: address,
    fromName: store.name,
    replyTo: store.replyTo ?? store.supportEmail,
    subject: content.subject,
    text: renderText(content, store, language),
    html: await renderHtml(content, { store, logoUrl }, language),
    language: language.locale,
  }
}
