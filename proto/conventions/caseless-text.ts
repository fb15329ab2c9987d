/**
 * Folds text so that a disguised spelling of a name or address equals the original. Upper and lower case, full-width and other
 * compatibility forms, ligatures, accents in any encoding, and invisible characters make no difference. Follows "compatibility
 * caseless match" of the Unicode Standard (section 3.13, D146) and drops the code points that it marks as default-ignorable,
 * such as the zero-width joiner and the soft hyphen.
 *
 * Letters that only look alike, such as Latin a and Cyrillic а, stay different.
 */
export function caselessText(text: string): string {
  // Twice, because folding a character can yield others to decompose.
  return fold(fold(text)).normalize('NFKC')
}

function fold(text: string): string {
  return [...text.normalize('NFKD').replace(invisible, '')].map(foldCase).join('')
}

/**
 * The default case folding of one code point. Upper case expands letters such as ß, and lower case before and after unites the forms
 * of a letter. Folds each code point separately, so that a final sigma folds like any other sigma. The dotless i, which shares its upper case
 * with another letter, folds to itself.
 */
function foldCase(character: string): string {
  return character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu
