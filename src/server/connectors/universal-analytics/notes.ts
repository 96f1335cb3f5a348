import type { NoteCode } from '#shared/run-notes.ts'
import type { RunNote, ConnectorContext } from '#server/connectors/connector.ts'

export type NoteOnce = (code: NoteCode, detail?: RunNote['detail']) => void

/** Notes each thing once, however many pages show it. */
export function noteOnce({ note }: Pick<ConnectorContext, 'note'>): NoteOnce {
  const said = new Set<NoteCode>()
  return (code, detail = {}) => {
    if (said.has(code)) return
    said.add(code)
    note({ code, detail })
  }
}
