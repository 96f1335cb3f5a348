import { invalidValue } from './errors.ts'
import type { Book } from '#sandbox/sheets/book.ts'

type Test = (book: Book) => boolean

/** The `q` of files.list: terms on mimeType, name, trashed and ownership, joined by `and`. */
export function readQuery(q: string | null, me: string): Test {
  if (!q) return () => true
  const tests = splitTerms(q).map(term => readTerm(term, me))
  return book => tests.every(test => test(book))
}

/** `and` inside quotes joins nothing. */
function splitTerms(q: string): string[] {
  const terms: string[] = ['']
  for (const piece of q.match(/'(?:[^'\\]|\\.)*'|\band\b|[^']/gi) ?? []) {
    if (piece.toLowerCase() === 'and') terms.push('')
    else terms[terms.length - 1] += piece
  }
  return terms.map(term => term.trim())
}

function readTerm(term: string, me: string): Test {
  const text = /^(mimeType|name)\s*(!=|=|contains)\s*'((?:[^'\\]|\\.)*)'$/.exec(term)
  if (text)
    return textTest(
      text[1] === 'name' ? 'title' : 'mime_type',
      text[2] ?? '',
      (text[3] ?? '').replace(/\\(.)/g, '$1'),
    )
  const trashed = /^trashed\s*(!=|=)\s*(true|false)$/.exec(term)
  if (trashed) return book => (book.trashed === (trashed[2] === 'true')) === (trashed[1] === '=')
  const within = /^'([^']*)' in (owners|writers|readers)$/.exec(term)
  if (within) {
    const email = within[1] === 'me' ? me : (within[1] ?? '')
    const roles = {
      owners: ['owner'],
      writers: ['owner', 'writer'],
      readers: ['owner', 'writer', 'commenter', 'reader'],
    }
    const expected = within[2] === 'owners' || within[2] === 'writers' ? roles[within[2]] : roles.readers
    return book => book.permissions.some(each => each.email === email && expected.includes(each.role))
  }
  if (/^sharedWithMe(\s*=\s*true)?$/.test(term)) {
    return book => book.permissions.some(each => each.email === me && each.role !== 'owner')
  }
  throw invalidValue('q')
}

function textTest(field: 'title' | 'mime_type', sign: string, expected: string): Test {
  if (sign === '=') return book => book[field] === expected
  if (sign === '!=') return book => book[field] !== expected
  return book => book[field].toLowerCase().includes(expected.toLowerCase())
}
