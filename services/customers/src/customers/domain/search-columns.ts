import { foldText } from '@storekeep/proto/conventions/folded-text'

/** Derives the columns by which names are compared and searched. */
export function searchColumns(names: Names): SearchColumns {
  const foldedName = fold(names.name)
  const foldedMinecraftName = fold(names.minecraftName)
  const all = [foldedName, fold(names.steamName), foldedMinecraftName].filter((one) => one !== null)
  return {
    foldedName,
    foldedMinecraftName,
    searchText: all.join(separator),
    shortNgrams: [...new Set(all.flatMap(shortNgrams))],
  }
}

/** Returns the 1- and 2-grams that contain anything but a-z and 0-9. */
export function shortNgrams(folded: string): string[] {
  if (isPlain(folded)) return []
  const ngrams = new Set<string>()
  let before = ''
  for (const character of folded) {
    const isOther = !isPlain(character)
    if (before !== '' && (isOther || !isPlain(before))) ngrams.add(before + character)
    if (isOther) ngrams.add(character)
    before = character
  }
  return [...ngrams]
}

function fold(name: string | null): string | null {
  return name === null ? null : foldText(name)
}

function isPlain(text: string): boolean {
  return /^[a-z0-9]*$/.test(text)
}

/** Does not occur in names, so a substring never matches across two names. */
const separator = '\u001f'

interface Names {
  name: string | null
  steamName: string | null
  minecraftName: string | null
}

export interface SearchColumns {
  foldedName: string | null
  foldedMinecraftName: string | null
  searchText: string
  shortNgrams: string[]
}
