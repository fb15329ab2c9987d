/** The candidate that is most likely meant: it takes the fewest edits to reach. Undefined only without candidates. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const given = text.slice(0, maxLength).toLowerCase()
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = containment(given, candidate) ?? editDistance(given, candidate)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

const maxLength = 64

/** "customer" for "customer_id" is further by edits than by sense. */
function containment(given: string, candidate: string): number | undefined {
  return given.length >= 3 && (candidate.includes(given) || given.includes(candidate)) ? 1.5 : undefined
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
