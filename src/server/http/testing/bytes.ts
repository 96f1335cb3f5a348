import { connect } from 'node:net'

/** A response as it came over the wire. */
export interface RawResponse {
  status: number
  /** In lower case. */
  headers: Record<string, string>
  body: string
}

/** Sends bytes that no client library would, and reads until the connection ends. */
export function sendBytes(origin: string, bytes: string): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
  let text = ''
  const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(bytes))
  socket.on('data', data => (text += String(data)))
  socket.on('close', () => resolve(responseIn(text)))
  socket.on('error', reject)
  return promise
}

function responseIn(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map(line => line.split(/: (.*)/s))
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    body: rest.join('\r\n\r\n'),
  }
}
