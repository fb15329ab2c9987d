/**
 * Equal for texts that differ in case, accents, ligatures or width alone. Documents and queries are folded alike; a
 * change needs a new `indexVersion`, since what is in the index was folded by the rule of its time.
 */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþħı]/g, (letter) => unaccented[letter] ?? '')
    .trim()
}

/** The words of a folded text, each once: runs of letters and digits, and of symbols such as emoji. */
export function wordsOf(folded: string): string[] {
  return [...new Set(folded.match(/[\p{L}\p{N}]+|\p{So}+/gu))]
}

/** Letters that Unicode does not take apart. */
const unaccented: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}
