/** The cookie by which the server draws a page as this browser last showed one. */
export const LOOK_COOKIE = 'look'

/** What a browser knows of how its pages are to look. */
export interface Look {
  /** The system's own colours are dark. */
  is_dark: boolean
  time_zone: string
  /** What its storage has under those of `lookKeys` that are set. */
  stored: Readonly<Record<string, string>>
}

/** What the first drawing of a page reads from the browser's storage. */
export const lookKeys = [
  'sheetcast.theme',
  'sheetcast.sidebar',
  'sheetcast.closed_groups',
  'sheetcast.images_layout',
  'sheetcast.single_keys',
  'sheetcast.first_steps_closed',
] as const

/** A page that somebody has opened, as the server draws it. */
export interface PageRequest {
  /** Path, query and nothing else. */
  href: string
  /** `https://reports.example.com` */
  origin: string
  /** In the form of `document.cookie`. */
  cookies: string
  /** null: on the pages before signing in, of a browser that was never here. */
  look: Look | null
  /** Milliseconds since 1970. */
  at_ms: number
}

export interface DrawnPage {
  /** The browser's, as text. */
  title: string
  /** What is inside of the element that the page is drawn in. */
  markup: string
  /** CSS for what the markup has as `data-style` instead of `style`, which the policy of pages forbids. */
  css: string
  /** The parts in it whose styles the page does not name by itself. */
  parts: readonly string[]
  /** `DrawnState` as JSON that nothing in HTML ends. */
  state: string
}

/** What the browser continues with where the server has stopped. */
export interface DrawnState extends Pick<PageRequest, 'href' | 'look' | 'at_ms'> {
  /** As TanStack Query dehydrates it. */
  queries: unknown
  /** The same address as the page itself writes it. */
  canonical: string
  /** The markup's style attributes: `data-style` is a position in this list. */
  styles: readonly string[]
  /** The parts in it whose code the page does not load by itself. */
  parts: readonly string[]
}

/** The element that has it, and the one that everything is drawn in. */
export const STATE_ELEMENT = 'drawn'
export const ROOT_ELEMENT = 'root'
