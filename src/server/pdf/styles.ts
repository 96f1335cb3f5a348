import type { TextStyle } from './canvas.ts'

const INK = '#16191f'
const GREY = '#667080'

/** One weight, so sizes and two colours say what matters. */
export const styles = {
  heading: { size: 21, colour: INK },
  number: { size: 11, colour: INK },
  name: { size: 11, colour: INK },
  title: { size: 14, colour: INK },
  body: { size: 8.5, colour: INK },
  detail: { size: 7.5, colour: GREY },
  terms: { size: 7.5, colour: INK },
  label: { size: 7.5, colour: GREY },
  aside: { size: 8.5, colour: GREY },
  total: { size: 14, colour: INK },
  edge: { size: 7, colour: GREY },
} satisfies Record<string, TextStyle>

export const rules = {
  strong: { colour: INK, width: 0.7 },
  thin: { colour: '#d5d9e0', width: 0.5 },
} as const
