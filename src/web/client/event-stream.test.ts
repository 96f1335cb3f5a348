import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-stream.ts'

describe('an event stream', () => {
  it('gives a message when it is complete, however it is cut', () => {
    const reader = createEventReader()
    expect(reader.feed('retry: 2000\n\nevent: run\nda')).toEqual([])
    expect(reader.feed('ta: {"run":"1"}\n')).toEqual([])
    expect(reader.feed('\n: here\n\n')).toEqual([
      { message: { event: 'run', data: '{"run":"1"}' }, position: null },
    ])
  })

  it('joins the lines of one message and knows lines that end in CR LF', () => {
    expect(createEventReader().feed('data: a\r\ndata: b\r\n\r\n')).toEqual([
      { message: { event: 'message', data: 'a\nb' }, position: null },
    ])
  })

  it('says where it is, also without a message', () => {
    expect(createEventReader().feed('id: 7\ndata: a\n\nid: 9\n: here\n\n')).toEqual([
      { message: { event: 'message', data: 'a' }, position: '7' },
      { message: null, position: '9' },
    ])
  })
})
