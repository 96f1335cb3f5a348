import { describe, expect, it } from 'vitest'
import { imageTypes } from '#shared/images.ts'
import { sortFiles } from './file-rules.ts'

const limits = { types: imageTypes, most_bytes: 100, most_files: 2 }
const png = (name: string, size = 20) => {
  const bytes = new Uint8Array(size)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])
  return new File([bytes], name, { type: 'image/png' })
}
const refusals = async (files: File[], taken = 0) =>
  (await sortFiles(files, taken, limits)).refused.map(({ name, why }) => `${name}: ${why}`)

describe('files that are dropped', () => {
  it('are taken when they are pictures within the limits', async () => {
    const { fitting, refused } = await sortFiles([png('a.png'), png('b.png')], 0, limits)
    expect(fitting.map(file => file.name)).toEqual(['a.png', 'b.png'])
    expect(refused).toEqual([])
  })

  it('are recognized by their content, whatever they are called', async () => {
    const script = new File(['<script>'], 'picture.png', { type: 'image/png' })
    const renamed = new File([await png('x').arrayBuffer()], 'picture.txt', { type: 'text/plain' })
    expect(await refusals([script, renamed])).toEqual(['picture.png: type'])
  })

  it('know the four kinds of picture', async () => {
    const heads = [
      'GIF89a……',
      'RIFF0000WEBP',
      Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]),
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]),
    ]
    for (const head of heads)
      expect((await sortFiles([new File([head], 'x')], 0, limits)).fitting).toHaveLength(1)
  })

  it('are refused when they are empty or too large', async () => {
    expect(await refusals([new File([], 'none.png'), png('large.png', 101)])).toEqual([
      'none.png: empty',
      'large.png: size',
    ])
  })

  it('are refused beyond the number that may be chosen, those already there included', async () => {
    expect(await refusals([png('second.png'), png('third.png')], 1)).toEqual(['third.png: count'])
  })

  it('of another kind go by what the browser says', async () => {
    const csv = new File(['a,b'], 'people.csv', { type: 'text/csv' })
    const { fitting } = await sortFiles([csv], 0, { ...limits, types: ['text/csv'] })
    expect(fitting).toEqual([csv])
  })

  it('are CSV by their name, which Windows calls a workbook', async () => {
    const csv = new File(['a,b'], 'people.csv', { type: 'application/vnd.ms-excel' })
    const { fitting } = await sortFiles([csv], 0, { ...limits, types: ['text/csv'] })
    expect(fitting).toEqual([csv])
  })
})
