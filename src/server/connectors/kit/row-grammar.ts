import {
  afterSpace,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  NotRecognised,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  stringEnd,
  type ByteSource,
} from './byte-json.ts'
import type { ByteTexts } from './byte-texts.ts'
import { type ItemsShape, type Leaf, type ListShape, type ObjectShape, type Shape } from './rows.ts'

// Rows of a response are written alike: between two values that are read stand the same names, brackets and
// quotation marks in the next row. So these bytes are parsed once and compared from then on. Which of them
// can follow a value is learnt as rows come: names in another order, or missing, are other bytes that follow.

/** A value that is read or skipped, and what has followed it so far; the start or the end of a row. */
export interface Step {
  kind: StepKind
  /** Where it goes; null: it is skipped. */
  column: Column | null
  /** Whether quotation marks stand around it, which then belong to the bytes before and after. */
  isQuoted: boolean
  /** What it stands in, and where, in a list. */
  frame: Frame
  index: number
  ways: Way[]
  /** The one that was taken the last time. */
  last: Way | null
}

export interface ColumnTexts extends ByteTexts<ByteSource> {
  /** By code. */
  values: string[]
}

/** The values of a leaf in the rows of one response. */
export interface Column {
  kind: StepKind
  numbers: Float64Array
  codes: Int32Array
  /** null: it is one of numbers. */
  texts: ColumnTexts | null
  parse: (value: unknown) => number
  isRequired: boolean
  isShared: boolean
  /** The last row that has a value. */
  row: number
}

export const END = 0
export const SKIPPED = 1
export const TEXT = 2
/** A number in quotation marks, as it is or in millionths; one of JSON. */
export const PLAIN = 3
export const MONEY = 4
export const JSON_NUMBER = 5
export type StepKind = 0 | 1 | 2 | 3 | 4 | 5

/** The bytes between two values. */
export interface Way {
  length: number
  /** Four bytes at a time; the last four overlap those before. */
  words: Int32Array
  /** Of fewer than four. */
  literal: Uint8Array
  /** Objects and lists that begin in them: none may come twice in a row. */
  opens: readonly Opening[]
  to: Step
}

/** Where an object or a list begins. */
export interface Opening {
  /** The last row that has it. */
  row: number
}

/** An object or a list that a value stands in. */
interface Frame {
  /** Where it is in the row, in one text. */
  id: string
  shape: ObjectShape | ItemsShape | ListShape | Entry
  parent: Frame | null
}
/** One entry of a list, of a type whose value is read or not. */
interface Entry {
  kind: 'entry'
  is_read: boolean
}

export interface Grammar {
  start: Step
  /** How many rows have been read with it, of all responses. */
  rows: number
  /** What follows a value whose bytes end at a position. Throws NotRecognised for what is no row. */
  learn: (step: Step, bytes: Buffer, at: number) => Way
}

const MOST_WAYS = 200
const MOST_STEPS = 4000
/** Between two values: also bounds how deep parsing them recurses. */
const MOST_BYTES = 4096

export function createGrammar(shape: ObjectShape, columns: ReadonlyMap<Shape, Column>): Grammar {
  const root: Frame = { id: '', shape, parent: null }
  const beside = { column: null, isQuoted: false, frame: root, index: 0, last: null }
  const start: Step = { ...beside, kind: SKIPPED, ways: [] }
  const end: Step = { ...beside, kind: END, ways: [] }
  const memory: Memory = { end, columns, steps: new Map(), frames: new Map(), openings: new Map() }
  return {
    start,
    rows: 0,
    learn(step, bytes, from) {
      if (step.ways.length >= MOST_WAYS || memory.steps.size > MOST_STEPS) throw new NotRecognised()
      const cursor = new Cursor(bytes, from)
      const to = step === start ? firstStep(cursor, memory) : stepAfter(step, cursor, memory)
      const way = wayOf(bytes.subarray(from, cursor.at), cursor.opens, to)
      step.ways.push(way)
      return way
    },
  }

  function firstStep(cursor: Cursor, known: Memory): Step {
    cursor.expect(OPEN_OBJECT)
    return new Learner(cursor, known).firstField(root)
  }
}

function stepAfter({ isQuoted, frame, index }: Step, cursor: Cursor, memory: Memory): Step {
  if (isQuoted) cursor.expect(QUOTE)
  return new Learner(cursor, memory).afterValue(frame, index)
}

/** What has been met so far, by where it is in a row. */
interface Memory {
  end: Step
  columns: ReadonlyMap<Shape, Column>
  steps: Map<string, Step>
  frames: Map<string, Frame>
  openings: Map<Shape, Opening>
}

/** A position in bytes of JSON. */
class Cursor {
  readonly bytes: Buffer
  at: number
  readonly #most: number
  readonly opens: Opening[] = []

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
    this.#most = at + MOST_BYTES
  }

  /** The next byte that is no space, without taking it. */
  peek(): number | undefined {
    this.at = afterSpace(this.bytes, this.at)
    return this.bytes[this.at]
  }

  expect(byte: number): void {
    if (this.peek() !== byte) throw new NotRecognised()
    this.at += 1
  }

  /** A text without escapes, behind its opening quotation mark. */
  text(): string {
    this.expect(QUOTE)
    const end = stringEnd(this.bytes, this.at)
    const text = this.bytes.toString('utf8', this.at, end)
    if (text.includes('\\') || end > this.#most) throw new NotRecognised()
    this.at = end + 1
    return text
  }

  fieldName(): string {
    const name = this.text()
    this.expect(COLON)
    return name
  }
}

/** Names of the two fields of an entry, in their order. */
const TYPE = 'action_type'
const VALUE = 'value'

/** Parses from one value to the next. */
class Learner {
  readonly #cursor: Cursor
  readonly #memory: Memory

  constructor(cursor: Cursor, memory: Memory) {
    this.#cursor = cursor
    this.#memory = memory
  }

  firstField(frame: Frame): Step {
    return this.#cursor.peek() === CLOSE_OBJECT ? this.afterValue(frame, 0) : this.#field(frame)
  }

  afterValue(frame: Frame, index: number): Step {
    const { shape, parent } = frame
    const byte = this.#cursor.peek()
    this.#cursor.at += 1
    if (shape.kind === 'object' || shape.kind === 'entry') {
      if (byte === COMMA) return this.#field(frame)
      if (byte !== CLOSE_OBJECT) throw new NotRecognised()
      return parent === null ? this.#memory.end : this.afterValue(parent, indexIn(frame))
    }
    if (byte === CLOSE_LIST && parent !== null) {
      if (shape.kind === 'items' && index + 1 !== shape.items.length) throw new NotRecognised()
      return this.afterValue(parent, indexIn(frame))
    }
    if (byte !== COMMA) throw new NotRecognised()
    return shape.kind === 'list' ? this.#entry(frame, shape) : this.#item(frame, shape, index + 1)
  }

  #field(frame: Frame): Step {
    const name = this.#cursor.fieldName()
    const { shape } = frame
    if (shape.kind === 'object') return this.#value(shape.fields.get(name), frame, name)
    // The value of an entry that is read comes right after its type, and once.
    if (shape.kind !== 'entry' || name === TYPE || (name === VALUE && shape.is_read))
      throw new NotRecognised()
    return this.#value(undefined, frame, name)
  }

  #entry(list: Frame, { types }: ListShape): Step {
    this.#cursor.expect(OPEN_OBJECT)
    if (this.#cursor.fieldName() !== TYPE) throw new NotRecognised()
    const type = this.#cursor.text()
    const value = types.get(type)
    const frame = this.#frameAt(list, type, { kind: 'entry', is_read: value !== undefined })
    if (value === undefined) return this.afterValue(frame, 0)
    this.#cursor.expect(COMMA)
    if (this.#cursor.fieldName() !== VALUE) throw new NotRecognised()
    return this.#value(value, frame, VALUE)
  }

  #item(frame: Frame, { items }: ItemsShape, index: number): Step {
    if (index >= items.length) throw new NotRecognised()
    return this.#value(items[index], frame, String(index))
  }

  #value(shape: Shape | undefined, frame: Frame, name: string): Step {
    const byte = this.#cursor.peek()
    if (shape === undefined && byte === OPEN_OBJECT) return this.#ignored(frame, name)
    if (shape === undefined) return this.#stepAt(null, frame, name)
    if (shape.kind === 'text' || shape.kind === 'number') return this.#stepAt(shape, frame, name)
    // In a list that begins once, each of its values does.
    if (frame.shape.kind !== 'items') this.#cursor.opens.push(this.#openingOf(shape))
    const inner = this.#frameAt(frame, name, shape)
    this.#cursor.expect(shape.kind === 'object' ? OPEN_OBJECT : OPEN_LIST)
    if (shape.kind === 'object') return this.firstField(inner)
    if (this.#cursor.peek() === CLOSE_LIST) return this.afterValue(inner, -1)
    return shape.kind === 'list' ? this.#entry(inner, shape) : this.#item(inner, shape, 0)
  }

  /** An object that nobody reads, of which each value is skipped. */
  #ignored(frame: Frame, name: string): Step {
    const inner = this.#frameAt(frame, name, { kind: 'object', fields: new Map() })
    this.#cursor.expect(OPEN_OBJECT)
    return this.firstField(inner)
  }

  #openingOf(shape: Shape): Opening {
    const opening = this.#memory.openings.get(shape) ?? { row: -1 }
    this.#memory.openings.set(shape, opening)
    return opening
  }

  #stepAt(leaf: Leaf | null, frame: Frame, name: string): Step {
    const kind = leaf === null ? SKIPPED : kindOf(leaf)
    const isQuoted = kind === TEXT || kind === PLAIN || kind === MONEY
    if (isQuoted) this.#cursor.expect(QUOTE)
    const id = `${frame.id}\u0000${name}`
    const index = frame.shape.kind === 'items' ? Number(name) : 0
    const column = (leaf && this.#memory.columns.get(leaf)) ?? null
    const step = this.#memory.steps.get(id) ?? {
      kind,
      column,
      isQuoted,
      frame,
      index,
      ways: [],
      last: null,
    }
    this.#memory.steps.set(id, step)
    return step
  }

  #frameAt(parent: Frame, name: string, shape: Frame['shape']): Frame {
    const id = `${parent.id}\u0000${name}`
    const frame = this.#memory.frames.get(id) ?? { id, shape, parent }
    this.#memory.frames.set(id, frame)
    return frame
  }
}

/** The position in the list around it. */
const indexIn = ({ id }: Frame) => Number(id.slice(id.lastIndexOf('\u0000') + 1))

export function kindOf(leaf: Leaf): StepKind {
  return leaf.kind === 'text' ? TEXT : written[leaf.format.written]
}
const written = { text: PLAIN, money: MONEY, json: JSON_NUMBER } as const

function wayOf(literal: Buffer, opens: readonly Opening[], to: Step): Way {
  const bytes = Uint8Array.from(literal)
  const view = new DataView(bytes.buffer)
  const count = bytes.length < 4 ? 0 : Math.ceil(bytes.length / 4)
  const words = Int32Array.from({ length: count }, (_, at) =>
    view.getInt32(Math.min(4 * at, bytes.length - 4)),
  )
  return { length: bytes.length, words, literal: bytes, opens, to }
}
