/** True when one edit turns one word into the other: insert, delete or replace a letter, or swap two neighbors. */
export function isOneEditApart(first: string, second: string): boolean {
  if (!canBeOneEditApart(first, second)) return false
  const a = [...first]
  const b = [...second]
  if (Math.abs(a.length - b.length) > 1 || first === second) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (left.length + right.length <= 2) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/**
 * Cheap rejection: most candidates differ by more than one edit, so code units are compared before the words are split into code
 * points of up to two units.
 */
function canBeOneEditApart(first: string, second: string): boolean {
  const shorter = Math.min(first.length, second.length)
  let start = 0
  while (start < shorter && first.charCodeAt(start) === second.charCodeAt(start)) start += 1
  let end = 0
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1
  return Math.max(first.length, second.length) - start - end <= 4
}
