// The policy of pages allows no style attribute in markup, while scripts may set any. So the server's drawing
// names its styles in a style sheet, and the browser makes attributes of them before React takes over: React
// changes only what differs from the last time.

/** Markup as React writes it, in which no text has a quotation mark. */
export function withoutStyles(html: string): { markup: string; styles: string[] } {
  const places = new Map<string, number>()
  const markup = html.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const place = places.get(style) ?? places.size
    places.set(style, place)
    return ` data-style="${place}"`
  })
  return { markup, styles: [...places.keys()].map(decoded) }
}

/** One rule for each; what could end a rule waits for the browser. */
export const cssOf = (styles: readonly string[]): string =>
  styles
    .map((style, place) => (/[{}<>\\]/.test(style) ? '' : `#root [data-style="${place}"]{${style}}`))
    .join('')

export function applyStyles(styles: readonly string[]): void {
  for (const element of document.querySelectorAll<HTMLElement>('#root [data-style]')) {
    element.style.cssText = styles[Number(element.dataset.style)] ?? ''
    delete element.dataset.style
  }
}

const decoded = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/**
 * The server names all styles of a page in one file (scripts/page-files.ts). The files that it is made of
 * count as loaded: what is imported later looks for their links first.
 */
export function nameLoadedStyles(): void {
  for (const { dataset } of document.querySelectorAll<HTMLLinkElement>('link[data-has]'))
    for (const href of (dataset.has ?? '').split(' ')) {
      const link = document.createElement('link')
      link.toggleAttribute('disabled')
      document.head.append(Object.assign(link, { rel: 'stylesheet', href }))
    }
}
