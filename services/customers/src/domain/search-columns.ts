import { foldText } from '@storekeep/proto/conventions/folded-text'

/** Derives the columns by which names are compared and searched. */
export function searchColumns(names: Names): SearchColumns {
  const { name, steamName, minecraftName } = names
  const all = [name, steamName, minecraftName].filter((one) => one !== null).map(foldText)
  return {
    foldedName: name === null ? null : foldText(name),
    foldedMinecraftName: minecraftName === null ? null : foldText(minecraftName),
    searchText: all.join(separator),
    shortNgrams: [...new Set(all.flatMap(shortNgrams))],
  }
}

/** Returns the 1- and 2-grams that contain anything but a-z and 0-9. */
export function shortNgrams(folded: string): string[] {
  if (/^[a-z0-9]*$/.test(folded)) return []
  const characters = [...folded]
  const ngrams = characters.flatMap((character, at) => [character, character + (characters[at + 1] ?? '')])
  return [...new Set(ngrams)].filter((ngram) => !/^[a-z0-9]*$/.test(ngram))
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
