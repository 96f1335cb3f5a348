import { describe, expect, it } from 'vitest'
import { readForm } from './form.ts'

// As long as browsers make them.
const B = 'boundary-of-browsers-0123456789'
const part = (name: string, text = 'x', more = '') =>
  `--${B}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
const read = (text: string, type = `multipart/form-data; boundary=${B}`) =>
  readForm(Buffer.from(`${text}--${B}--\r\n`), type)

describe('a form', () => {
  it('is read into its texts and files', async () => {
    const form = await read(part('name', 'A') + part('image', 'bytes', '; filename="../a.png"'))
    expect(form).toMatchObject({ name: 'A', image: expect.any(File) })
    const made = new FormData()
    made.append('name', 'from a browser')
    const sent = new Response(made)
    const type = sent.headers.get('content-type') ?? ''
    expect(await readForm(Buffer.from(await sent.arrayBuffer()), type)).toEqual({ name: 'from a browser' })
  })

  it('has few parts with short heads, each name once and no NUL', async () => {
    const parts = (count: number) => Array.from({ length: count }, (_, n) => part(`f${n}`)).join('')
    expect(Object.keys(await read(parts(19)))).toHaveLength(19)
    for (const text of [
      parts(20),
      part('a'.repeat(3000)),
      `--${B}\r\n${'a: b\r\n'.repeat(500)}\r\nx\r\n`,
      part('a') + part('a'),
      part('a', 'x\0y'),
    ])
      await expect(read(text)).rejects.toThrow('invalid')
  })

  it('has one boundary', async () => {
    for (const type of [
      '',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=c; boundary=${B}`,
      'multipart/form-data; boundary="b\\c"',
      `multipart/form-data; boundary=${'b'.repeat(71)}`,
      `multipart/mixed; boundary=${B}`,
    ])
      await expect(read(part('a'), type)).rejects.toThrow('invalid')
  })
})
