import { z } from 'zod'
import { name as nameOf } from '#shared/api/names.ts'
import {
  AccountText,
  ReportFile,
  type ReadReportFiles,
  type UnreadableFile,
} from '#shared/api/report-files.ts'
import { Block } from '#shared/api/reports.ts'
import { limits } from '#shared/limits.ts'
import { codeFor } from '#server/http/parse.ts'
import { readText, type ReadText } from './report-text.ts'

/** One that can be run as it is. */
const RunnableFile = ReportFile.extend({
  name: nameOf(limits.name),
  spreadsheet_url: z.string().min(1).max(2000),
  sheet_name: z.string().min(1).max(200),
  channels: z.array(Block.extend({ accounts: z.array(AccountText).min(1) })).min(1),
})

/**
 * Reads YAML of one or more reports; people's files are read in a thread of their own
 * (report-file-reader.ts).
 */
export function readReportFiles(text: string): ReadReportFiles {
  const documents = readText(text)
  if (documents === 'too_many_documents') return documents
  let room = MOST_PROBLEMS
  return documents.map(document => {
    const read = readFile(document, ReportFile)
    if (!('problems' in read)) return read
    const problems = read.problems.slice(0, Math.max(1, Math.min(room, MOST_OF_ONE)))
    room -= problems.length
    return { ...read, problems }
  })
}

/** Nobody reads more problems than these. */
const MOST_PROBLEMS = 1000
const MOST_OF_ONE = 50

/** The same for one report that is run at once. */
export function readRunnableFile(text: string) {
  const documents = readText(text)
  const [document, more] = documents === 'too_many_documents' ? [] : documents
  if (!document || more) return unreadable('', ['it has more than one document'])
  return readFile(document, RunnableFile)
}

/** A file without any report. */
export const unreadable = (name: string, messages: readonly string[]): UnreadableFile => ({
  name,
  problems: messages.map(message => ({ path: '', code: 'file_unreadable', message })),
})

function readFile<File>(document: ReadText, schema: z.ZodType<File>): { file: File } | UnreadableFile {
  if ('errors' in document) return unreadable('', document.errors)
  const { value } = document
  if (hasInvalidText(value)) return unreadable('', ['a text has characters that nothing can show'])
  const read = schema.safeParse(value)
  if (read.success) return { file: read.data }
  return {
    name: Named.safeParse(value).data?.name ?? '',
    problems: read.error.issues.map(issue => ({
      path: [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])]
        .join('.')
        .slice(0, 200),
      code: codeFor(issue),
      message: issue.message.slice(0, 300),
    })),
  }
}

const Named = z.object({ name: z.string().max(200) })

/** A NUL or half a surrogate pair, which YAML can spell and a database cannot keep. */
function hasInvalidText(value: unknown): boolean {
  if (typeof value === 'string') return /[\0\p{Surrogate}]/u.test(value)
  return value instanceof Object && Object.values(value).some(hasInvalidText)
}
