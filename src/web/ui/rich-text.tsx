import { Fragment } from 'react'
import type { RichPart, RichText } from '#web/i18n/rich-text.ts'

/** Draws it; a link must be a path of this site or an https address, else only its text is drawn. */
export function Rich({ children }: { children: RichText }) {
  if (typeof children === 'string') return children
  // The parts never move, so their index is a stable key.
  return children.map((part, index) => <Fragment key={String(index)}>{draw(part)}</Fragment>)
}

function draw(part: RichPart) {
  if (typeof part === 'string') return part
  if ('strong' in part) return <strong>{part.strong}</strong>
  if ('line_break' in part) return <br />
  if (!/^(\/(?!\/)|https:\/\/)/.test(part.to)) return part.text
  return <a href={part.to}>{part.text}</a>
}
