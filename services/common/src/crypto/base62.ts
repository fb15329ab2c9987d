/**
 * Bytes as digits, upper-case and lower-case letters: fits into a header, a URL and a double click without escaping.
 * The result always has the same length for the same number of bytes, so its length says nothing about its value.
 */
export function base62Encode(bytes: Uint8Array): string {
  const width = Math.ceil((bytes.length * 8) / Math.log2(62))
  let value = BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
  let text = ''
  while (text.length < width) {
    text = `${alphabet[Number(value % 62n)]}${text}`
    value /= 62n
  }
  return text
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
