import { Fragment } from 'react'

/** Markup as a small structure, so that no text from anywhere is ever read as HTML. */
export type RichText = string | readonly RichPart[]
export type RichPart = string | { strong: string } | { text: string; to: string } | { line_break: true }

/** Draws it; a link must be a path of this site or an https address, else only its text is drawn. */
export function Rich({ children }: { children: RichText }) {
  if (typeof children === 'string') return children
  // The parts never move, so that their place is their key.
  return children.map((part, index) => <Fragment key={String(index)}>{draw(part)}</Fragment>)
}

function draw(part: RichPart) {
  if (typeof part === 'string') return part
  if ('strong' in part) return <strong>{part.strong}</strong>
  if ('line_break' in part) return <br />
  if (!/^(\/(?!\/)|https:\/\/)/.test(part.to)) return part.text
  return <a href={part.to}>{part.text}</a>
}
