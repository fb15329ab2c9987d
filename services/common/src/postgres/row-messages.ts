import { Parser } from 'pg-protocol/dist/parser.js'
import { type Column, compileRowReader, type ReadRow, RowReader } from './row-reader.ts'

/**
 * Makes the parser of `pg` leave the rows to `runStatement`, and parse each description of rows only once. `pg` has no setting for
 * it, so this replaces a method of the parser that all connections use. Statements that use `pg` directly get the rows that
 * it makes, from `fields`.
 */
export function readRowsFast(): void {
  const prototype = Parser.prototype as unknown as PacketParser
  const { handlePacket } = prototype
  prototype.handlePacket = function (offset, code, length, bytes) {
    // The length includes itself.
    const end = offset + length - 4
    if (code === dataRowCode) return dataRow.open(bytes, offset, end)
    if (code !== rowDescriptionCode) return handlePacket.call(this, offset, code, length, bytes)
    const key = bytes.toString('latin1', offset, end)
    const known = descriptions.get(key)
    if (known) return known
    const { fields } = handlePacket.call(this, offset, code, length, bytes) as RowDescription
    const description: RowDescription = { name: 'rowDescription', length, fields, readRow: compileRowReader(fields) }
    if (descriptions.size >= maxDescriptions) descriptions.clear()
    descriptions.set(key, description)
    return description
  }
}

/** The content of a DataRow message, valid while it is handled: `pg` handles each message before it parses the next. */
export class DataRow {
  readonly name = 'dataRow'
  readonly #reader = new RowReader()
  #columns = 0

  open(bytes: Buffer, start: number, end: number): this {
    this.#columns = this.#reader.open(bytes, start, end)
    return this
  }

  /** @throws Error if the row does not have the columns of the function */
  read(readRow: ReadRow): object {
    const row = readRow(this.#reader)
    this.#reader.close()
    return row
  }

  /** The columns as text, for the queries of `pg`. */
  get fields(): (string | null)[] {
    return Array.from({ length: this.#columns }, () => this.#reader.text())
  }
}

/** A RowDescription message of `pg`, and the function that reads the rows it describes. */
export interface RowDescription {
  readonly name: 'rowDescription'
  readonly length: number
  readonly fields: readonly Column[]
  readonly readRow: ReadRow
}

/** The method of pg's parser that parses one message. */
interface PacketParser {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): object
}

const dataRowCode = 0x44
const rowDescriptionCode = 0x54
const dataRow = new DataRow()
/** By the bytes of the message. Caches a pure function, so it is safe to share between databases and tests. */
const descriptions = new Map<string, RowDescription>()
/** Bounds the memory: a description names its table, so rebuilds and migrations make others. */
const maxDescriptions = 1000
