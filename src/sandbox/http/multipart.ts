/** A form with files, as it was sent. */
export interface Multipart {
  fields: Record<string, string>
  files: Record<string, SentFile>
}
export interface SentFile {
  name: string
  bytes: Buffer
}

/** Reads a multipart body; null for bytes that are none. */
export async function multipartOf(body: Buffer, contentType: string): Promise<Multipart | null> {
  try {
    const headers = { 'content-type': contentType }
    const form = await new Response(new Uint8Array(body), { headers }).formData()
    const read: Multipart = { fields: {}, files: {} }
    for (const [name, value] of form) {
      if (typeof value === 'string') read.fields[name] = value
      else read.files[name] = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) }
    }
    return read
  } catch {
    return null
  }
}

/** The lines of a file; an empty one at its end is none. */
export const linesOf = ({ bytes }: SentFile): string[] =>
  bytes
    .toString('latin1')
    .split(/\r?\n/)
    .filter(line => line !== '')
