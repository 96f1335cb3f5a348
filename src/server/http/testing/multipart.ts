import { once } from 'node:events'
import { connect } from 'node:net'

/** As long as browsers make them. */
export const BOUNDARY = 'boundary-of-browsers-0123456789'

interface Part {
  name: string
  value: string | Uint8Array
  /** As it is written in the header; left out: a text. */
  file_name?: string
  /** Further lines of its header, each with its end. */
  head?: string
}

export const partOf = ({ name, value, file_name, head = '' }: Part): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file_name === undefined ? '' : `; filename="${file_name}"`}\r\n${head}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
export const LAST = Buffer.from(`--${BOUNDARY}--\r\n`)

/** A form byte for byte, as no client library would write it. */
export const multipart = (parts: readonly Part[]): Buffer => Buffer.concat([...parts.map(partOf), LAST])

export const uploadHead = (path: string, token: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=${BOUNDARY}\r\n${more}\r\n`

/** A connection that is written to by hand. */
export async function openSocket(origin: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let text = ''
  let changed = Promise.withResolvers<void>()
  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }
  socket.on('data', data => {
    text += String(data)
    change()
  })
  socket.on('error', () => {}).on('close', change)
  await once(socket, 'connect')
  return {
    socket,
    /** Waits while the other side does not read. */
    async write(bytes: string | Uint8Array) {
      if (!socket.write(bytes) && !socket.destroyed)
        await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    },
    /** What has been received, once it has this. */
    async received(what: RegExp): Promise<string> {
      while (!what.test(text)) {
        if (socket.destroyed) throw new Error(`received ${text || 'nothing'}`)
        await changed.promise
      }
      return text
    },
  }
}
