import { errors } from '../errors/index.ts'

/** The members that a PATCH may name, by their names in a field mask. */
export type MaskMembers<Member> = Readonly<Record<string, Member>>

/**
 * The members that a field mask names.
 * @throws ServiceFault `bad-request` for a mask that names anything else
 */
export function maskedMembers<Member>(known: MaskMembers<Member>, mask: readonly string[]): Member[] {
  return mask.map((path) => {
    const member = Object.hasOwn(known, path) ? known[path] : undefined
    if (member === undefined) throw errors.badRequest(`The field mask names "${path}", which cannot be changed.`)
    return member
  })
}

/** An object of these members alone; one that is absent is there as undefined. */
export function pick<T extends object, K extends keyof T>(from: T, members: readonly K[]): Pick<T, K> {
  return Object.fromEntries(members.map((member) => [member, from[member]])) as Pick<T, K>
}
