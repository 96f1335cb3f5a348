/** One message of a stream of server-sent events. */
export interface StreamEvent {
  event: string
  data: string
}

/** A message, or only where the stream is by now. */
interface StreamMessage {
  message: StreamEvent | null
  /** What a later stream continues after. */
  position: string | null
}

/**
 * Parses a `text/event-stream` that arrives in chunks: `feed` takes the next chunk and returns the messages
 * that it completes. Parsed by hand, since the browser's EventSource cannot send the bearer header.
 */
export function createEventReader() {
  let rest = ''
  return {
    feed(text: string): StreamMessage[] {
      const messages = (rest + text).replaceAll('\r\n', '\n').split('\n\n')
      rest = messages.pop() ?? ''
      return messages.map(read).filter(({ message, position }) => message !== null || position !== null)
    },
  }
}

function read(text: string): StreamMessage {
  let event = 'message'
  let position: string | null = null
  const data: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('id:')) position = line.slice(3).trim()
    if (line.startsWith('event:')) event = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return { message: data.length > 0 ? { event, data: data.join('\n') } : null, position }
}
