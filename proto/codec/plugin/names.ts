import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf'
import type { GeneratedFile, Printable } from '@bufbuild/protoplugin'

/** The parts of a line of generated source. */
export type Line = Printable[]

/** The names that generated source uses. Imports what comes from other files. */
export class Names {
  readonly #f: GeneratedFile

  constructor(f: GeneratedFile) {
    this.#f = f
  }

  writer(message: DescMessage): Printable {
    return this.#f.import(`write${shortName(message)}`, fileOf(message))
  }

  reader(message: DescMessage): Printable {
    return this.#f.import(`read${shortName(message)}`, fileOf(message))
  }

  /** The type of a message or enum, as protoc-gen-es generates it. */
  shape(type: DescMessage | DescEnum): Printable {
    return isWellKnown(type) ? this.#f.import(type.name, wellKnownTypes, true) : this.#f.importShape(type)
  }

  /** The descriptor of a message. */
  schema(message: DescMessage): Printable {
    return isWellKnown(message)
      ? this.#f.import(`${message.name}Schema`, wellKnownTypes)
      : this.#f.importSchema(message)
  }

  wire(name: 'BinaryReader' | 'BinaryWriter'): Printable {
    return this.#f.import(name, '@bufbuild/protobuf/wire', true)
  }

  runtime(name: string, isType = false): Printable {
    return this.#f.import(name, '@storekeep/proto/codec', isType)
  }
}

/** The message property that holds the field: its own, or its oneof's. */
export function propertyOf(field: DescField): string {
  return field.oneof ? field.oneof.localName : field.localName
}

/** A local variable for a property. The suffix keeps it apart from reserved words and from `r`, `w`, `m` and `end`. */
export function variable(property: string): string {
  return `${property}_`
}

/** Types like `google.protobuf.Timestamp`, which protobuf-es exports itself. */
export function isWellKnown({ typeName }: { typeName: string }): boolean {
  return typeName.startsWith('google.protobuf.')
}

const wellKnownTypes = '@bufbuild/protobuf/wkt'

function fileOf({ file }: DescMessage): string {
  return `./${file.name}_codec.js`
}

/** "Outer_Inner" for a nested message. */
function shortName({ typeName, file }: DescMessage): string {
  return typeName.slice(file.proto.package.length + 1).replaceAll('.', '_')
}
