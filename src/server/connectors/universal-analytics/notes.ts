import type { NoteCode } from '#shared/run-notes.ts'
import type { RunNote, ConnectorContext } from '#server/connectors/connector.ts'

export type NoteOnce = (code: NoteCode, detail?: RunNote['detail']) => void

/** Notes each thing once, however many pages show it. */
export function noteOnce({ note }: Pick<ConnectorContext, 'note'>): NoteOnce {
  const noted = new Set<NoteCode>()
  return (code, detail = {}) => {
    if (noted.has(code)) return
    noted.add(code)
    note({ code, detail })
  }
}
