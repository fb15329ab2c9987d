import { foldText } from '@storekeep/proto/conventions/folded-text'

/** The columns that names are compared and searched by; they follow from the names alone. */
export function foldedNames(names: Names): FoldedNames {
  const { name, steamName, minecraftName } = names
  const all = [name, steamName, minecraftName].filter((one) => one !== null).map(foldText)
  return {
    foldedName: name === null ? null : foldText(name),
    foldedMinecraftName: minecraftName === null ? null : foldText(minecraftName),
    searchText: all.join(separator),
    uncommonParts: [...new Set(all.flatMap(uncommonParts))],
  }
}

/** The parts of one and two characters that hold anything but a-z and 0-9. */
export function uncommonParts(folded: string): string[] {
  if (/^[a-z0-9]*$/.test(folded)) return []
  const characters = [...folded]
  const parts = characters.flatMap((character, at) => [character, character + (characters[at + 1] ?? '')])
  return [...new Set(parts)].filter((part) => !/^[a-z0-9]*$/.test(part))
}

/** In no name that anyone types, so a search does not match across the border between two names. */
const separator = '\u001f'

interface Names {
  name: string | null
  steamName: string | null
  minecraftName: string | null
}

export interface FoldedNames {
  foldedName: string | null
  foldedMinecraftName: string | null
  searchText: string
  uncommonParts: string[]
}
