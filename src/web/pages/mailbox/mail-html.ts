/** A part of a mail, ready to be drawn: nothing but texts and a few harmless elements. */
export type MailNode = string | MailElement
export interface MailElement {
  tag: (typeof drawn)[number]
  style: Record<string, string>
  /** Of an `a`: an http or https address. */
  href: string | null
  children: MailNode[]
}

/** What is drawn; of anything else only what is in it. */
const drawn = [
  'div',
  'p',
  'h1',
  'h2',
  'h3',
  'strong',
  'em',
  'span',
  'a',
  'ul',
  'ol',
  'li',
  'br',
  'hr',
] as const
const WITHOUT_CONTENT = ['br', 'hr', 'img', 'meta', 'link', 'input']
/** Elements whose content is never visible. */
const HIDDEN_TAGS = [
  'head',
  'script',
  'style',
  'title',
  'template',
  'iframe',
  'object',
  'noscript',
  'svg',
  'math',
]
/** Styles that cannot leave the box, cover anything or load anything. */
const STYLES =
  /^(margin|padding|border(-(top|right|bottom|left))?|border-radius|font-(size|weight|style|family)|line-height|color|background(-color)?|max-width|text-align)$/

/**
 * Parses the HTML of a mail into a small structure. It is never given to the browser as HTML, so that nothing
 * in it can run, load or break out of its box, whoever has written it.
 */
export function readMailHtml(html: string): MailNode[] {
  const root: Open = { name: '', children: [] }
  const open = [root]
  const top = () => open.at(-1) ?? root
  for (const [token, slash, tag = '', attributes = ''] of html.matchAll(TOKENS)) {
    const name = tag.toLowerCase()
    if (token.startsWith('<!')) continue
    if (name === '') add(top(), decoded(token))
    else if (slash) close(open, name)
    else {
      const element = elementOf(name, attributes)
      const children = element && !isHidden(open) ? element.children : isVisible(name) ? top().children : []
      if (element) add(top(), element)
      if (!WITHOUT_CONTENT.includes(name)) open.push({ name, children })
    }
  }
  return root.children
}

interface Open {
  name: string
  children: MailNode[]
}

const TOKENS = /<!--.*?-->|<![^>]*>|<(\/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|[^<]+|</gis

const isVisible = (name: string) => !HIDDEN_TAGS.includes(name)
const isHidden = (open: readonly Open[]) => open.some(({ name }) => !isVisible(name))

const add = (parent: Open, child: MailNode) => void parent.children.push(child)

/** A closing tag closes what was opened within it; one that nothing has opened closes nothing. */
function close(open: Open[], name: string) {
  const at = open.findLastIndex(element => element.name === name)
  if (at > 0) open.length = at
}

function elementOf(name: string, attributes: string): MailElement | null {
  const tag = drawn.find(candidate => candidate === name)
  if (!tag) return null
  const byName = new Map(
    [...attributes.matchAll(/([a-z-]+)\s*=\s*"([^"]*)"/gi)].map(([, key = '', value = '']) => [
      key.toLowerCase(),
      decoded(value),
    ]),
  )
  const href = tag === 'a' ? webAddress(byName.get('href') ?? '') : null
  return { tag, style: styleOf(byName.get('style') ?? ''), href, children: [] }
}

function webAddress(text: string): string | null {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** As React wants it: `borderLeft` for `border-left`. */
const styleOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(';').flatMap(rule => {
      const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*(.+?)\s*$/i.exec(rule) ?? []
      const isHarmless = STYLES.test(name) && /^[\w\s#%.,-]+$/.test(value)
      const key = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return isHarmless ? [[key, value]] : []
    }),
  )

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const decoded = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : ''
  })
