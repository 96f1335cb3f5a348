/** A mail as somebody's mail program would show it. */
export interface ReadMail {
  from: string
  to: string
  subject: string
  message_id: string
  text: string
  html: string | null
}

/**
 * Reads a message (RFC 5322 with MIME) as far as programs write them: text alone, or text and HTML beside
 * each other.
 */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const parts = partsOf(headers, body)
  const ofType = (type: string) => parts.find(part => part.type === type)?.text
  return {
    from: decodedWords(headers.get('from') ?? ''),
    to: decodedWords(headers.get('to') ?? ''),
    subject: decodedWords(headers.get('subject') ?? ''),
    message_id: headers.get('message-id') ?? '',
    text: ofType('text/plain') ?? '',
    html: ofType('text/html') ?? null,
  }
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const [, head = '', body = ''] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(raw) ?? [null, raw, '']
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.map(line => /^([!-9;-~]+):\s*(.*)$/.exec(line)).filter(found => found !== null)
  return { headers: new Map(headers.map(([, name = '', value = '']) => [name.toLowerCase(), value])), body }
}

function partsOf(headers: Map<string, string>, body: string): { type: string; text: string }[] {
  const contentType = headers.get('content-type') ?? 'text/plain'
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const [, boundary] = /boundary="?([^";]+)"?/i.exec(contentType) ?? []
  if (!type.startsWith('multipart/') || boundary === undefined)
    return [{ type, text: decoded(body, headers.get('content-transfer-encoding') ?? '') }]
  return body
    .split(new RegExp(`(?:^|\\r?\\n)--${RegExp.escape(boundary)}(?:--)?[ \\t]*(?:\\r?\\n|$)`))
    .slice(1, -1)
    .flatMap(part => {
      const inner = split(part)
      return partsOf(inner.headers, inner.body)
    })
}

function decoded(body: string, encoding: string): string {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable':
      return unquoted(body.replaceAll(/=[ \t]*\r?\n/g, ''))
    default:
      return Buffer.from(body, 'latin1').toString('utf8')
  }
}

/** `=E5=A0=B1` are bytes, which make characters only together. */
const unquoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

/** `=?UTF-8?Q?=E5=A0=B1?=` (RFC 2047); between two of them a space is none. */
const decodedWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/(?:=\?utf-8\?[qb]\?[^?]*\?=)+/gi, words =>
      Buffer.concat([...words.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)].map(bytesOfWord)).toString('utf8'),
    )

function bytesOfWord([, encoding = '', text = '']: RegExpExecArray): Buffer {
  if (encoding.toLowerCase() === 'b') return Buffer.from(text, 'base64')
  const plain = text
    .replaceAll('_', ' ')
    .replaceAll(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}
