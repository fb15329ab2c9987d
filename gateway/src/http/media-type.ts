import { httpFaults } from '../errors/http-faults.ts'

/**
 * Refuses a body that is not JSON in UTF-8 without compression: `application/json`, `text/json` and
 * `application/*+json`, with no charset or utf-8.
 */
export function checkMediaType(contentType: string | undefined, contentEncoding: string | undefined): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw httpFaults.unsupportedMediaType('Send the body without a Content-Encoding.')
  }
  if (contentType === undefined)
    throw httpFaults.unsupportedMediaType('Send the body with Content-Type: application/json.')
  const [essence = '', ...parameters] = contentType.split(';')
  if (!jsonType.test(essence.trim())) {
    throw httpFaults.unsupportedMediaType('The body must be application/json, text/json or application/*+json.')
  }
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.trim().toLowerCase() === 'charset' && !utf8.test(value.trim())) {
      throw httpFaults.unsupportedMediaType('The body must be in UTF-8.')
    }
  }
}

const jsonType = /^(?:(?:application|text)\/json|application\/[\w!#$&^.*-]+\+json)$/i
const utf8 = /^"?utf-?8"?$/i
