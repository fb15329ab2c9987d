/**
 * Equal for texts that differ in nothing but case or in how their accents are encoded. Services that compare copies of
 * the same names have to fold them alike.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
