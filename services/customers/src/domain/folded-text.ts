/** Equal for names that differ in nothing but case or in how their accents are encoded. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The columns that names are compared and searched by; they follow from the names alone. */
export function foldedNames(names: Names): FoldedNames {
  const { name, steamName, minecraftName } = names
  const all = [name, steamName, minecraftName].filter((one) => one !== null)
  return {
    foldedName: name === null ? null : foldName(name),
    foldedMinecraftName: minecraftName === null ? null : foldName(minecraftName),
    searchText: all.map(foldName).join(separator),
  }
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
}
