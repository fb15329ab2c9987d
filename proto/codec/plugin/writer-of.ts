import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { type Element, elementOf, tagOf } from './elements.ts'
import { type Line, type Names, propertyOf } from './names.ts'

/** The body of the function that writes a message, with its fields in the order of their numbers as protobuf-es does. */
export function* writerOf(message: DescMessage, names: Names): Iterable<Line> {
  const isOther = `m.$typeName != null && m.$typeName !== ${JSON.stringify(message.typeName)}`
  yield [`  if ((${isOther}) || m.$unknown != null) throw `, names.runtime('unsupported'), ';']
  for (const field of message.fields.toSorted((a, b) => a.number - b.number)) {
    const element = elementOf(field)
    if (element) yield ['  ', ...fieldWriter(field, element, names)]
  }
}

function fieldWriter(field: DescField, element: Element, names: Names): Line {
  const tag = tagOf(field, element)
  const value = `m.${propertyOf(field)}`
  if (field.oneof) {
    const write = elementWriter(element, tag, `${value}.value`, names)
    const unlessMissing = element.message
      ? [`if (${value}.value == null) throw `, names.runtime('unsupported'), '; ']
      : []
    return [`if (${value}?.case === ${JSON.stringify(field.localName)}) { `, ...unlessMissing, ...write, ' }']
  }
  if (field.fieldKind === 'map') {
    return [`if (${value} != null) `, names.runtime('writeTextEntries'), `(w, ${tag}, ${value});`]
  }
  if (field.fieldKind === 'list' && element.wireType === 2) {
    return [
      `if (${value} != null) for (const item of ${value}) { `,
      ...elementWriter(element, tag, 'item', names),
      ' }',
    ]
  }
  if (field.fieldKind === 'list') {
    const items = `w.uint32(${tag}).fork(); for (const item of ${value}) w.${element.method}(item); w.join();`
    return [`if (${value} != null && ${value}.length > 0) { ${items} }`]
  }
  return [`if (${isSet(field, element, value)}) { `, ...elementWriter(element, tag, value, names), ' }']
}

/** The condition under which a singular field is written. */
function isSet(field: DescField, { method, message, isText, zero }: Element, value: string): string {
  const hasPresence = message !== undefined || field.proto.proto3Optional
  if (hasPresence) return `${value} != null`
  if (method === 'bytes') return `${value} != null && ${value}.length !== 0`
  return isText || numbers.has(method) ? `${value} != null && ${value} !== ${zero}` : value
}

/** NaN is falsy too, but not a value of such a field. */
const numbers: ReadonlySet<string | undefined> = new Set(['uint32', 'int32', 'fixed32'])

function elementWriter({ message, method }: Element, tag: number, value: string, names: Names): Line {
  if (message) return [names.writer(message), `(w.uint32(${tag}).fork(), ${value}); w.join();`]
  return [`w.uint32(${tag}).${method}(${value});`]
}
