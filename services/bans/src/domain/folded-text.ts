/** Equal for texts that differ in nothing but case or in how their accents are encoded; as names of customers are. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
