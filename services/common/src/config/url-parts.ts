/** Decodes a part of a URL. @throws Error whose message continues the setting's name and quotes nothing */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has an encoded character that is not UTF-8')
  }
}

/** @throws Error whose message continues the setting's name and quotes nothing */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new Error('has a port that is not a number from 1 to 65535')
  return port
}

/** @returns the text before the first separator, and the text after it; undefined if there is none */
export function splitAtFirst(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
