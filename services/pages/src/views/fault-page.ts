import type { ServiceFault } from '@storekeep/common/errors'
import type { Site } from '../config.ts'
import type { Reply } from '../http/route.ts'
import { statusOf } from '../http/status-of.ts'
import type { Texts } from '../texts/en.ts'
import type { Language } from '../texts/language.ts'
import { pageReply } from './layout.ts'
import { message } from './parts.ts'

/** A page for anything that was thrown. Shows nothing of the fault but its kind. */
export function faultPage(
  fault: ServiceFault,
  language: Language,
  site: Site | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { title, text } = describe(fault, language.texts)
  return pageReply({ title, content: message({ title, text }), language, site, status: statusOf(fault), headers })
}

function describe({ code }: ServiceFault, texts: Texts): { title: string; text: string } {
  switch (code) {
    case 'not-found':
    case 'unauthorized':
      return { title: texts.notFoundTitle, text: texts.notFoundText }
    case 'forbidden':
      return { title: texts.forbiddenTitle, text: texts.forbiddenText }
    case 'customer-banned':
      return { title: texts.forbiddenTitle, text: texts.banned }
    case 'too-many-requests':
      return { title: texts.tooManyTitle, text: texts.tooManyText }
    case 'conflict':
      return { title: texts.conflictTitle, text: texts.conflictText }
    case 'bad-request':
    case 'validation-failed':
    case 'method-not-allowed':
    case 'payload-too-large':
      return { title: texts.invalidTitle, text: texts.invalidText }
    default:
      return { title: texts.unavailableTitle, text: texts.unavailableText }
  }
}
