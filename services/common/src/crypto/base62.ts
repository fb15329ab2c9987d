/**
 * Bytes as digits, upper-case and lower-case letters: fits into a header, a URL and a double click without escaping.
 * The result always has the same length for the same number of bytes, so its length says nothing about its value.
 */
export function base62Encode(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
  const width = widthOf(bytes.length)
  let text = ''
  // Eight digits at a time: one division of the big number for eight of a plain one.
  while (text.length < width) {
    text = digitsOf(Number(value % chunkValue)) + text
    value /= chunkValue
  }
  return text.slice(text.length - width)
}

/** The bytes that `base62Encode` made the text of; undefined for a text that it never makes. */
export function base62Decode(text: string): Buffer | undefined {
  const length = Math.floor((text.length * bitsPerDigit) / 8)
  if (widthOf(length) !== text.length || !/^[0-9A-Za-z]*$/.test(text)) return undefined
  let value = 0n
  for (let start = 0; start < text.length; start += chunkDigits) {
    const chunk = text.slice(start, start + chunkDigits)
    let number = 0
    for (const digit of chunk) number = number * 62 + alphabet.indexOf(digit)
    value = value * 62n ** BigInt(chunk.length) + BigInt(number)
  }
  const hex = length === 0 ? '' : value.toString(16).padStart(length * 2, '0')
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : undefined
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bitsPerDigit = Math.log2(62)
const chunkDigits = 8
const chunkValue = 62n ** BigInt(chunkDigits)

function widthOf(byteLength: number): number {
  return Math.ceil((byteLength * 8) / bitsPerDigit)
}

function digitsOf(number: number): string {
  let rest = number
  let text = ''
  for (let digit = 0; digit < chunkDigits; digit++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
