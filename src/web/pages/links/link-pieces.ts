/** A piece of a link as it is drawn: what was added to the page's own address stands out. */
export interface LinkPiece {
  kind: 'page' | 'key' | 'value'
  text: string
}

/** The address, then each utm parameter as its key and its value; everything else is of the page. */
export function piecesOf(link: string): LinkPiece[] {
  const [, address = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(link) ?? []
  if (query === undefined) return [{ kind: 'page', text: link }]
  const pieces = query.split('&').flatMap((parameter, index): LinkPiece[] => {
    const separator = index === 0 ? '?' : '&'
    const equals = parameter.indexOf('=')
    if (!parameter.startsWith('utm_') || equals < 0) return [{ kind: 'page', text: separator + parameter }]
    return [
      { kind: 'page', text: separator },
      { kind: 'key', text: parameter.slice(0, equals + 1) },
      { kind: 'value', text: parameter.slice(equals + 1) },
    ]
  })
  return [{ kind: 'page', text: address }, ...pieces, { kind: 'page', text: fragment }]
}

/** The beginning and the end, which tell links of one campaign apart, for a line of a table. */
export function shortened(link: string, most = 42): string {
  const plain = link.replace(/^https?:\/\//, '')
  if (plain.length <= most) return plain
  const end = Math.floor((most - 1) / 2)
  return `${plain.slice(0, most - 1 - end)}…${plain.slice(-end)}`
}
