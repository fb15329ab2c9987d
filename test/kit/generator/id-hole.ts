import fc from 'fast-check'

/** A place for an id, written as text: the name of the member or parameter that it is for, and a draw. */
export function idHole(name: string): fc.Arbitrary<string> {
  return fc.nat({ max: 999_983 }).map((draw) => `{{id ${name} ${draw}}}`)
}

/** The value with each hole in it filled. */
export function fillHoles(value: unknown, idFor: (name: string, draw: number) => string): unknown {
  if (typeof value === 'string') {
    const [, name, draw] = hole.exec(value) ?? []
    return name === undefined ? value : idFor(name, Number(draw))
  }
  if (Array.isArray(value)) return value.map((item) => fillHoles(item, idFor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillHoles(member, idFor)]))
}

const hole = /^\{\{id (\S*) (\d+)\}\}$/
