/** The number of slots of a Redis Cluster. */
export const slotCount = 16_384

/**
 * The slot of a key in a Redis Cluster: CRC16 of the text between the first `{` and the next `}`, or of the whole key if there
 * is none or nothing between them.
 */
export function slotOf(key: string): number {
  const start = key.indexOf('{') + 1
  const end = start > 0 ? key.indexOf('}', start) : -1
  let crc = 0
  for (const byte of Buffer.from(end > start ? key.slice(start, end) : key)) {
    crc = ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ byte] as number)
  }
  return crc % slotCount
}

/** CRC-16/XMODEM, byte by byte. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  return crc
})
