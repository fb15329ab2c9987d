import type { DescMessage } from '@bufbuild/protobuf'
import { createEcmaScriptPlugin, type GeneratedFile, runNodeJs, type Schema } from '@bufbuild/protoplugin'
import { isSupported } from './elements.ts'
import { Names } from './names.ts'
import { readerOf } from './reader-of.ts'
import { writerOf } from './writer-of.ts'

/**
 * The protoc plugin that generates codecs. For each file it generates `<name>_codec.ts`, which exports what
 * protoc-gen-es generates for the file, and a reader and a writer for each message: straight-line code without
 * descriptors. A message with an unsupported field gets no codec, so it uses protobuf-es.
 */
runNodeJs(createEcmaScriptPlugin({ name: 'protoc-gen-codec', version: 'v1', generateTs }))

function generateTs(schema: Schema): void {
  for (const file of schema.files) {
    const f = schema.generateFile(`${file.name}_codec.ts`)
    f.print(`// Generated from ${file.name}.proto by the plugin in proto/codec/plugin.`)
    if (file.proto.package !== 'google.protobuf') f.print(`export * from "./${file.name.split('/').at(-1)}_pb.ts";`)
    const names = new Names(f)
    for (const type of schema.typesInFile(file)) {
      if (type.kind === 'message' && isSupported(type)) generateCodec(f, type, names)
    }
  }
}

function generateCodec(f: GeneratedFile, message: DescMessage, names: Names): void {
  const [write, read, shape] = [names.writer(message), names.reader(message), names.shape(message)]
  const writer = names.wire('BinaryWriter')
  const reader = names.wire('BinaryReader')
  const init = names.runtime('Init', true)
  f.print``
  f.print`export function ${write}(w: ${writer}, m: ${init}<${shape}>): void {`
  for (const line of writerOf(message, names)) f.print(...line)
  f.print`}`
  f.print`export function ${read}(r: ${reader}, end: number): ${shape} {`
  for (const line of readerOf(message, names)) f.print(...line)
  f.print`}`
  f.print`${names.runtime('registerCodec')}(${names.schema(message)}, { write: ${write}, read: ${read} });`
}
