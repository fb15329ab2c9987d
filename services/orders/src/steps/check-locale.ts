import { errors, violation } from '@storekeep/common/errors'

/** @throws ServiceFault `validation-failed` unless it is absent or a BCP 47 tag of language, script and region, such as "pt-BR" */
export function checkLocale(locale: string | undefined): void {
  if (locale === undefined || /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?$/i.test(locale)) return
  throw errors.validationFailed([violation('locale', 'format', 'must be a language tag')])
}
