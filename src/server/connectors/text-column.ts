/** A column of texts: dates, keys or labels, most of which many rows have in common. */
export interface TextColumn {
  /** Per row: the index of its text in `values`. */
  codes: Int32Array
  /** Pages may share the list, which only grows; not all of it need be on each of them. */
  values: readonly string[]
}

export const textAt = ({ codes, values }: TextColumn, row: number): string => values[codes[row] ?? 0] ?? ''

/** The texts of a page's rows. */
export const textsOf = (column: TextColumn, length: number): string[] =>
  Array.from({ length }, (_, row) => textAt(column, row))

export const textColumn = (texts: Iterable<string>): TextColumn => {
  const builder = createTextBuilder()
  for (const text of texts) builder.push(text)
  return builder.column()
}

export const constantColumn = (text: string, length: number): TextColumn => ({
  codes: new Int32Array(length),
  values: [text],
})

export const pickTexts = ({ codes, values }: TextColumn, rows: readonly number[]): TextColumn => ({
  codes: Int32Array.from(rows, row => codes[row] ?? 0),
  values,
})

/** One column of several: `textOf` is called for each row whose texts are not those of the row before. */
export function combineTexts(
  columns: readonly TextColumn[],
  length: number,
  textOf: (texts: string[], row: number) => string,
): TextColumn {
  const { values, codeOf } = createTextList()
  const codes = new Int32Array(length)
  for (let row = 0; row < length; row += 1) {
    const isRepeated = row > 0 && columns.every(column => column.codes[row] === column.codes[row - 1])
    codes[row] = isRepeated
      ? (codes[row - 1] ?? 0)
      : codeOf(
          textOf(
            columns.map(column => textAt(column, row)),
            row,
          ),
        )
  }
  return { codes, values }
}

/** Columns of several pages as one. */
export function joinTexts(columns: readonly { column: TextColumn; length: number }[]): TextColumn {
  const list = createTextList()
  const shared = columns[0]?.column.values ?? []
  const isShared = columns.every(({ column }) => column.values === shared)
  const codes = new Int32Array(columns.reduce((sum, { length }) => sum + length, 0))
  const write = translator(list.codeOf)
  let from = 0
  for (const { column, length } of columns) {
    if (isShared) codes.set(column.codes.subarray(0, length), from)
    else write(column, { codes, from, step: 1, length })
    from += length
  }
  return { codes, values: isShared ? shared : list.values }
}

/** Distinct texts, numbered as they come. */
export interface TextList {
  values: string[]
  codeOf: (text: string) => number
}

export function createTextList(): TextList {
  const values: string[] = []
  const codes = new Map<string, number>()
  // Platforms name the same entities in the same order again and again: most texts are the one before, or
  // the one that followed it the last time, with no need to look them up.
  const next: number[] = []
  let last = 0
  const enter = (text: string) => {
    const own = copyOf(text)
    codes.set(own, values.length)
    next.push(0)
    return values.push(own) - 1
  }
  return {
    values,
    codeOf(text) {
      if (values[last] === text) return last
      const guess = next[last] ?? 0
      const code = values[guess] === text ? guess : (codes.get(text) ?? enter(text))
      next[last] = code
      last = code
      return code
    },
  }
}

/** V8 slices a text without copying it: a name from a file of 32 MB would keep all of the file in memory. */
const copyOf = (text: string) => ` ${text}`.slice(1)

/** A column that is made row by row. */
export interface TextBuilder {
  push: (text: string) => void
  /** How many texts have been pushed. */
  length: () => number
  /** All of them, or some neighbours. */
  column: (from?: number, until?: number) => TextColumn
}

export function createTextBuilder({ values, codeOf }: TextList = createTextList()): TextBuilder {
  const codes: number[] = []
  return {
    push: text => void codes.push(codeOf(text)),
    length: () => codes.length,
    column: (from, until) => ({ codes: Int32Array.from(codes.slice(from, until)), values }),
  }
}

/** Where a column's numbers go: into every `step`-th entry of `codes`, from `from` on. */
export interface CodeColumn {
  codes: Int32Array
  from: number
  step: number
  length: number
}

/** Writes a number for each row that depends on its text, and is worked out once for each value of a list. */
export function translator(numberOf: (text: string) => number) {
  const known = new WeakMap<readonly string[], number[]>()
  return (column: TextColumn, target: CodeColumn): void => {
    const { codes: out, from, step, length } = target
    const { codes, values } = column
    const numbers = known.get(values) ?? []
    if (numbers.length === 0) known.set(values, numbers)
    while (numbers.length < values.length) numbers.push(UNKNOWN)
    for (let row = 0, at = from; row < length; row++, at += step) {
      const code = codes[row] ?? 0
      let number = numbers[code] ?? UNKNOWN
      if (number === UNKNOWN) {
        number = numberOf(values[code] ?? '')
        numbers[code] = number
      }
      out[at] = number
    }
  }
}

const UNKNOWN = -(2 ** 31)
