import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { type Element, elementOf, tagOf } from './elements.ts'
import { type Line, type Names, propertyOf, variable } from './names.ts'

/**
 * The body of the function that reads a message. Creating the message at the end, from a literal, is faster than filling an
 * empty one. As with protobuf-es, absent fields with presence are not properties.
 */
export function* readerOf(message: DescMessage, names: Names): Iterable<Line> {
  const unsupported = names.runtime('unsupported')
  for (const member of message.members) yield declaration(member, message, names)
  yield ['  while (r.pos < end) switch (r.uint32()) {']
  for (const field of message.fields) {
    const element = elementOf(field)
    if (element) yield [`    case ${tagOf(field, element)}: `, ...fieldReader(field, element, names), ' break;']
  }
  yield ['    default: throw ', unsupported, ';']
  yield ['  }']
  yield [
    '  const m: ',
    names.shape(message),
    ` = { $typeName: ${JSON.stringify(message.typeName)}${always(message)} };`,
  ]
  for (const { localName } of message.members.filter(mayBeAbsent)) {
    yield [`  if (${variable(localName)} !== undefined) m.${localName} = ${variable(localName)};`]
  }
  yield ['  return m;']
}

/** The properties that every message has. */
function always(message: DescMessage): string {
  const members = message.members.filter((member) => !mayBeAbsent(member))
  return members.map(({ localName }) => `, ${localName}: ${variable(localName)}`).join('')
}

function mayBeAbsent(member: Member): boolean {
  return member.kind === 'field' && initial(member) === 'undefined'
}

type Member = DescMessage['members'][number]

function declaration(member: Member, message: DescMessage, names: Names): Line {
  const { localName } = member
  const type: Line = [names.shape(message), `[${JSON.stringify(localName)}]`]
  return [`  let ${variable(localName)}: `, ...type, ` = ${initial(member)};`]
}

function initial(member: Member): string {
  if (member.kind === 'oneof') return '{ case: undefined }'
  if (member.fieldKind === 'list') return '[]'
  if (member.fieldKind === 'map') return '{}'
  return member.proto.proto3Optional ? 'undefined' : (elementOf(member)?.zero ?? 'undefined')
}

function fieldReader(field: DescField, element: Element, names: Names): Line {
  const unless = (condition: string): Line => [`if (${condition}) throw `, names.runtime('unsupported'), '; ']
  const value = variable(propertyOf(field))
  const read = elementReader(field, element, names)
  if (field.fieldKind === 'map') return [names.runtime('readTextEntry'), `(r, ${value});`]
  if (field.fieldKind === 'list' && element.wireType !== 2) {
    return ['{ const listEnd = r.uint32() + r.pos; ', `while (r.pos < listEnd) ${value}.push(`, ...read, '); }']
  }
  if (field.fieldKind === 'list') return [`${value}.push(`, ...read, ');']
  // protobuf-es merges a repeated message into the previous one.
  const name = JSON.stringify(field.localName)
  const isRepeated = field.oneof ? `${value}.case === ${name}` : `${value} !== undefined`
  const unlessRepeated = element.message ? unless(isRepeated) : []
  if (field.oneof) return [...unlessRepeated, `${value} = { case: ${name}, value: `, ...read, ' };']
  return [...unlessRepeated, `${value} = `, ...read, ';']
}

function elementReader(field: DescField, element: Element, names: Names): Line {
  if (element.message) return [names.reader(element.message), '(r, r.uint32() + r.pos)']
  // Strict: bytes that are not UTF-8 are an error.
  if (element.method === 'string') return ['r.string(true)']
  const read = `r.${element.method}()`
  if (element.isText) return [`String(${read})`]
  if (element.isEnum && field.enum) return [read, ' as ', names.shape(field.enum)]
  // The type includes strings, for platforms without bigint.
  return [element.zero === '0n' ? `${read} as bigint` : read]
}
