import { Fragment } from 'react'
import type { Channel } from '#shared/channels/catalogue.ts'
import { isFormula, operandsOf, readFormula } from '#shared/formula.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import styles from './metrics.module.css'
import { metricName } from './operands.ts'

interface FormulaTextProps {
  formula: string
  /** Those that offer it: a metric has their name. */
  channels: readonly Channel[]
}

/** A formula with the name of each metric below its id. */
export function FormulaText({ formula, channels }: FormulaTextProps) {
  const language = useLanguage()
  return (
    <span className={styles.formula}>
      {partsOf(formula).map(({ at, text, isMetric }) => {
        const name = isMetric ? metricName(text, channels, language) : null
        if (name === null) return <Fragment key={at}>{text}</Fragment>
        return (
          <ruby key={at}>
            {text}
            <rt>{name}</rt>
          </ruby>
        )
      })}
    </span>
  )
}

interface Part {
  at: number
  text: string
  isMetric: boolean
}

/** The metrics and what is between them. */
function partsOf(formula: string): Part[] {
  const read = readFormula(formula)
  if (!isFormula(read)) return [{ at: 0, text: formula, isMetric: false }]
  const parts: Part[] = []
  let end = 0
  for (const { metric, at } of operandsOf(read)) {
    if (at > end) parts.push({ at: end, text: formula.slice(end, at), isMetric: false })
    parts.push({ at, text: metric, isMetric: true })
    end = at + metric.length
  }
  if (end < formula.length) parts.push({ at: end, text: formula.slice(end), isMetric: false })
  return parts
}
