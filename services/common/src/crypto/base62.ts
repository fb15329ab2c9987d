/**
 * Encodes bytes as digits and letters, which need no escaping in headers and URLs and are selected by a double click.
 * The length of the text depends only on the number of bytes, so it reveals nothing about their value.
 */
export function base62Encode(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
  const width = widthOf(bytes.length)
  let text = ''
  // Converts eight digits at a time, since dividing a BigInt is much slower than dividing a number.
  while (text.length < width) {
    text = digitsOf(Number(value % chunkValue)) + text
    value /= chunkValue
  }
  return text.slice(text.length - width)
}

/** Decodes the output of `base62Encode`; undefined for any other text. */
export function base62Decode(text: string): Buffer | undefined {
  const length = Math.floor((text.length * bitsPerDigit) / 8)
  if (widthOf(length) !== text.length || !/^[0-9A-Za-z]*$/.test(text)) return undefined
  let value = 0n
  for (let start = 0; start < text.length; start += chunkDigits) {
    const end = Math.min(start + chunkDigits, text.length)
    let number = 0
    for (let index = start; index < end; index++) number = number * 62 + (values[text.charCodeAt(index)] ?? 0)
    value = value * (powers[end - start] ?? 0n) + BigInt(number)
  }
  const hex = length === 0 ? '' : value.toString(16).padStart(length * 2, '0')
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : undefined
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The value of each digit, by its character code. */
const values = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, alphabet.indexOf(String.fromCharCode(code))))
const bitsPerDigit = Math.log2(62)
const chunkDigits = 8
const powers = Array.from({ length: chunkDigits + 1 }, (_, exponent) => 62n ** BigInt(exponent))
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
