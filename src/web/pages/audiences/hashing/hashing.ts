import type { MemberColumn } from '#shared/audiences.ts'
import { emailForm, googleEmailForm, phoneForm } from '#shared/member-forms.ts'
import { proposeColumns } from './columns.ts'
import { readRows } from './csv-rows.ts'
import { PREVIEW_ROWS, type FileFormat, type Preview } from './file-format.ts'
import { guessFormat } from './guess-format.ts'
import { HashingProblem } from './messages.ts'
import type { RowProblem } from './member-row.ts'
import {
  batchesOf,
  countRows,
  hashedLines,
  rejectedRows,
  type Batch,
  type Envelope,
  type FileReading,
} from './passes.ts'
import { rowHasher } from './row-hasher.ts'

const SAMPLE_BYTES = 256 * 1024

/** All that is done with clear text, in a thread that can reach no network (server/http/headers.ts). */
export function createHashing() {
  let batches: AsyncGenerator<Batch, void, void> | null = null
  return {
    /** The beginning of a file, and what it seems to be. */
    async open(file: Blob, format?: FileFormat): Promise<Preview> {
      const sample = file.slice(0, SAMPLE_BYTES)
      const bytes = new Uint8Array(await sample.arrayBuffer())
      // None of the encodings has it.
      if (bytes.includes(0)) throw new HashingProblem('not_text')
      const read = format ?? guessFormat(bytes)
      const rows: string[][] = []
      for await (const some of readRows(sample, read)) rows.push(...some)
      // The last row of the sample may have been cut.
      const whole = sample.size < file.size ? rows.slice(0, -1) : rows
      if (whole.length === 0) throw new HashingProblem('unreadable')
      return { format: read, ...proposeColumns(whole.slice(0, 500)), rows: whole.slice(0, PREVIEW_ROWS + 1) }
    },
    count: (reading: FileReading, onProgress: (rows: number) => void) => countRows(reading, onProgress),
    /** Begins, or begins again, at the batch number `from`. */
    async start(reading: FileReading, envelope: Envelope, from: number): Promise<void> {
      batches = batchesOf(reading, envelope, from)
    },
    /** The next batch; null after the last one. */
    async next(): Promise<Batch | null> {
      return (await batches?.next())?.value ?? null
    },
    lines: (reading: FileReading, form: MemberColumn) => hashedLines(reading, form),
    rejects: (reading: FileReading, words: Readonly<Record<RowProblem, string>>) =>
      rejectedRows(reading, words),
    /** One person's e-mail address or phone number; null when it is neither. */
    async identify(text: string, country: string): Promise<HashedPerson | null> {
      const email = emailForm(text)
      if (email !== null) return hashed({ email, email_google: googleEmailForm(email) })
      const number = phoneForm(text, country)
      return number === null ? null : hashed({ phone: number.slice(1), phone_e164: number })
    },
  }
}

export type Hashing = ReturnType<typeof createHashing>

export interface HashedPerson {
  columns: MemberColumn[]
  row: string[]
}

async function hashed(forms: Partial<Record<MemberColumn, string>>): Promise<HashedPerson> {
  const columns = Object.keys(forms).filter(isColumn)
  const { writeHex } = (await rowHasher(columns)).hash(forms)
  const row = columns.map((_, at) => {
    const hex = new Uint8Array(64)
    writeHex(at, hex, 0)
    return new TextDecoder().decode(hex)
  })
  return { columns, row }
}

const isColumn = (name: string): name is MemberColumn =>
  name === 'email' || name === 'email_google' || name === 'phone' || name === 'phone_e164'
