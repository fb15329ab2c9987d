import { httpFaults } from '../errors/http-faults.ts'

/**
 * Accepts uncompressed JSON in UTF-8 only: `application/json`, `text/json` and `application/*+json`, with no charset or
 * utf-8.
 * @throws ServiceFault `unsupported-media-type`
 */
export function checkMediaType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw httpFaults.unsupportedMediaType('Send the body without a Content-Encoding.')
  }
  if (contentType === undefined)
    throw httpFaults.unsupportedMediaType('Send the body with Content-Type: application/json.')
  if (contentType.length > maxLength) throw httpFaults.unsupportedMediaType()
  const [essence = '', ...parameters] = contentType.split(';')
  if (!jsonType.test(essence.trim())) {
    throw httpFaults.unsupportedMediaType()
  }
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.trim().toLowerCase() === 'charset' && !utf8.test(value.trim())) {
      throw httpFaults.unsupportedMediaType('The charset of the body must be UTF-8.')
    }
  }
}

/** Maximum length of the header, because each parameter takes time to parse. */
const maxLength = 1000
const jsonType = /^(?:(?:application|text)\/json|application\/[\w!#$&^.*-]+\+json)$/i
const utf8 = /^"?utf-?8"?$/i
