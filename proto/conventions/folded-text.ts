/**
 * Folds texts that differ only in case or in the encoding of accents to the same text. Shared, because services that
 * compare copies of the same names must fold them identically.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
