/** One message of a stream of server-sent events. */
export interface StreamEvent {
  event: string
  data: string
}

/**
 * Parses a `text/event-stream` that arrives in chunks: `feed` takes the next chunk and returns the messages
 * that it completes. Parsed by hand, since the browser's EventSource cannot send the bearer header.
 */
export function createEventReader() {
  let rest = ''
  return {
    feed(text: string): StreamEvent[] {
      const messages = (rest + text).replaceAll('\r\n', '\n').split('\n\n')
      rest = messages.pop() ?? ''
      return messages.flatMap(message => read(message) ?? [])
    },
  }
}

function read(message: string): StreamEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of message.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
  }
  return data.length > 0 ? { event, data: data.join('\n') } : null
}
