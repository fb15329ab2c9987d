import type { Message } from '../mailer.ts'
import { languageOf } from '../texts/language.ts'
import { contentOf } from './content.ts'
import type { EmailFacts } from './email-facts.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'

/** Writes an email. */
export async function composeEmail(facts: EmailFacts): Promise<Omit<Message, 'messageId'>> {
  const { store, address } = facts
  const language = languageOf(facts.locale)
  const content = contentOf(facts, language)
  return {
    to: address,
    fromName: store.name,
    replyTo: store.replyTo ?? store.supportEmail,
    subject: content.subject,
    text: renderText(content, store, language),
    html: await renderHtml(content, { store, logoUrl: undefined }, language),
    language: language.locale,
  }
}
