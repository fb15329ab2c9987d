/**
 * Reads what plugins send. They are written in many languages, whose JSON libraries print ids as numbers, absent texts as null, and empty
 * lists as objects, so only unambiguous mistakes are errors.
 */

/** A text or a number as text; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : isNumber(value) ? String(value) : ''
}

/** The texts and numbers of a list as texts, at most `max`. Any other value counts as an empty list. */
export function textsOf(value: unknown, max: number): string[] {
  return listOf(value)
    .slice(0, max)
    .map(textOf)
    .filter((text) => text !== '')
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The fields of an object. Any other value has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
