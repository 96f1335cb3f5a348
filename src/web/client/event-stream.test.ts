import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-stream.ts'

describe('an event stream', () => {
  it('gives a message when it is complete, however it is cut', () => {
    const reader = createEventReader()
    expect(reader.feed('retry: 2000\n\nevent: run\nda')).toEqual([])
    expect(reader.feed('ta: {"run":"1"}\n')).toEqual([])
    expect(reader.feed('\n: here\n\n')).toEqual([{ event: 'run', data: '{"run":"1"}' }])
  })

  it('joins the lines of one message and knows lines that end in CR LF', () => {
    expect(createEventReader().feed('data: a\r\ndata: b\r\n\r\n')).toEqual([
      { event: 'message', data: 'a\nb' },
    ])
  })
})
