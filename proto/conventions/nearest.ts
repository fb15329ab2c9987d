/** The candidate with the smallest edit distance to `text`, for a "did you mean" hint; undefined when none is near. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const given = text.slice(0, maxLength).toLowerCase()
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(given, candidate) }))
    .filter(({ candidate, distance }) => distance <= maxDistance(given, candidate))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.candidate
}

const maxLength = 64

/** A third of the longer name: `customer` suggests `customer_id`, `slug` suggests nothing. */
function maxDistance(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
