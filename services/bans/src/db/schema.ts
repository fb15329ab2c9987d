import type { Ban } from '../domain/ban.ts'

/** A ban as the repositories answer it. Ids and versions are int8 and therefore strings. */
export interface BanRow extends Ban {
  /** Who made it; see `actorText`. */
  createdBy: string
  createdAt: Date
  updatedBy: string | null
  updatedAt: Date | null
  version: string
}
