import pg from 'pg'
import { parseTimestamp, typeParsers } from './type-parsers.ts'

/**
 * Reads the columns of a DataRow message, one method call for each, in their order. All methods return null for NULL.
 *
 * Short values are cut from a piece of the message that is decoded as Latin-1, because decoding each one separately was the
 * largest part of the CPU time of a list.
 */
export class RowReader {
  #bytes: Buffer = noBytes
  #pos = 0
  #end = 0
  /** The bytes from `#pieceStart` to `#pieceEnd` as Latin-1. */
  #piece = ''
  #pieceStart = 0
  #pieceEnd = 0
  /** Where the current value starts and ends. */
  #from = 0
  #to = 0

  /** Starts with the content of the message from `start` to `end`. @returns the number of columns */
  open(bytes: Buffer, start: number, end: number): number {
    this.#bytes = bytes
    this.#pos = start + 2
    this.#end = end
    // The parser of `pg` reuses its buffers, so a piece is valid for one message.
    this.#pieceEnd = 0
    return bytes.readInt16BE(start)
  }

  /** Drops the reference to the bytes. @throws Error if they were not read exactly */
  close(): void {
    const isRead = this.#pos === this.#end
    this.#bytes = noBytes
    if (!isRead) throw new Error('malformed DataRow message')
  }

  text(): string | null {
    if (!this.#next()) return null
    const bytes = this.#bytes
    const to = this.#to
    for (let at = this.#from; at < to; at += 1) {
      if ((bytes[at] ?? 0) > 127) return bytes.toString('utf8', this.#from, to)
    }
    return this.#cut()
  }

  /** The text of a number, a date or another value that consists of ASCII characters. */
  ascii(): string | null {
    return this.#next() ? this.#cut() : null
  }

  bool(): boolean | null {
    return this.#next() ? this.#bytes[this.#from] === letterT : null
  }

  /** An int2 or int4. */
  int(): number | null {
    if (!this.#next()) return null
    const bytes = this.#bytes
    const isNegative = bytes[this.#from] === hyphen
    let value = 0
    for (let at = isNegative ? this.#from + 1 : this.#from; at < this.#to; at += 1) {
      value = value * 10 + (bytes[at] ?? 0) - digitZero
    }
    return isNegative ? -value : value
  }

  timestamp(): unknown {
    return this.#next() ? parseTimestamp(this.#cut()) : null
  }

  /** A value of any other type. */
  parsed(parse: (text: string) => unknown): unknown {
    const text = this.text()
    return text === null ? null : parse(text)
  }

  /** Moves to the next value. @returns false for NULL */
  #next(): boolean {
    const bytes = this.#bytes
    const at = this.#pos
    const length =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    this.#from = at + 4
    if (length === -1) {
      this.#pos = at + 4
      return false
    }
    this.#to = at + 4 + length
    this.#pos = this.#to
    return true
  }

  #cut(): string {
    const from = this.#from
    const to = this.#to
    if (to > this.#pieceEnd) {
      if (to - from > maxShortText) return this.#bytes.toString('latin1', from, to)
      this.#pieceStart = from
      this.#pieceEnd = Math.min(from + pieceBytes, this.#end)
      this.#piece = this.#bytes.toString('latin1', from, this.#pieceEnd)
    }
    return this.#piece.substring(from - this.#pieceStart, to - this.#pieceStart)
  }
}

export type ReadRow = (reader: RowReader) => object

/** A column of a RowDescription message. */
export interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/**
 * Generates the function that reads rows with these columns: one object literal, in which V8 knows the place of each value. Rows
 * of `pg` are copies of a prototype that are filled by name, which takes several times as long.
 *
 * NOTE The names are aliases in our SQL statements. They are quoted, so that any name is only a name.
 */
export function compileRowReader(columns: readonly Column[]): ReadRow {
  const parsers = columns.map(({ dataTypeID }) => typeParsers.getTypeParser(dataTypeID, 'text'))
  const values = columns.map(({ dataTypeID }, index) => readers.get(dataTypeID) ?? `parsed(parsers[${index}])`)
  const fields = columns.map(({ name }, index) => `${JSON.stringify(name)}: r.${values[index]}`)
  return new Function('parsers', `return function readRow(r) { return { ${fields.join(', ')} } }`)(parsers)
}

const { builtins } = pg.types
/** The method calls for the types of most columns. */
const readers: ReadonlyMap<number, string> = new Map<number, string>([
  [builtins.TEXT, 'text()'],
  [builtins.VARCHAR, 'text()'],
  [builtins.INT8, 'ascii()'],
  [builtins.NUMERIC, 'ascii()'],
  [builtins.UUID, 'ascii()'],
  [builtins.DATE, 'ascii()'],
  [builtins.BOOL, 'bool()'],
  [builtins.INT2, 'int()'],
  [builtins.INT4, 'int()'],
  [builtins.TIMESTAMPTZ, 'timestamp()'],
])

const noBytes = Buffer.alloc(0)
const letterT = 0x74
const hyphen = 0x2d
const digitZero = 0x30
const maxShortText = 64
/** Small, because a value that is kept in memory keeps its piece. */
const pieceBytes = 1024
