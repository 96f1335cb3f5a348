/** A code as somebody enters it: of the app, unless they have said that they do not have it. */
export interface EnteredCode {
  kind: 'app' | 'recovery'
  text: string
}

export const noCode: EnteredCode = { kind: 'app', text: '' }

export const isWhole = ({ kind, text }: EnteredCode): boolean =>
  kind === 'app' ? text.length === 6 : text.trim() !== ''
