import { Button } from '@mantine/core'
import { IconCheck, IconCrop, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Image } from '#shared/api/materials.ts'
import {
  fitBox,
  formatRules,
  formatVerdicts,
  nearestMiss,
  type FormatVerdict,
} from '#shared/materials/format-verdicts.ts'
import type { ImageFormat } from '#shared/materials/image-formats.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { FitDialog } from './fit-dialog.tsx'
import styles from './images.module.css'
import { ratioText, sizeOf, useVerdictText } from './verdict-text.ts'

interface WhereItFitsProps {
  image: Image
  onBroken: () => void
  onCopied: (copy: Image) => void
}

/** What each format says to the image, and the way to one that it nearly meets. */
export function WhereItFits({ image, onBroken, onCopied }: WhereItFitsProps) {
  const { t } = useTranslation('images')
  const verdictText = useVerdictText()
  const [fitted, setFitted] = useState<ImageFormat | null>(null)
  const verdicts = formatVerdicts(image)
  const nearest = nearestMiss(image)
  return (
    <section className={styles.fits} aria-labelledby="where-it-fits">
      <h3 id="where-it-fits">{t('where')}</h3>
      <div className={styles.summary}>
        <p>{t('fits_count', { count: verdicts.filter(({ met }) => met).length, all: verdicts.length })}</p>
        {nearest && isNear(nearest) && (
          <p>{t('nearest', { format: t(`format.${nearest.format}`), why: verdictText(nearest) })}</p>
        )}
      </div>
      <ul className={styles.verdicts}>
        {verdicts.map(verdict => (
          <Verdict key={verdict.format} image={image} verdict={verdict} onFit={setFitted} />
        ))}
      </ul>
      {fitted && (
        <FitDialog
          image={image}
          format={fitted}
          onBroken={onBroken}
          onCopied={onCopied}
          onClose={() => setFitted(null)}
        />
      )}
    </section>
  )
}

/** What is far from a format is not nearly one, though nothing else is nearer. */
const isNear = ({ misses }: FormatVerdict) =>
  misses.every(miss => {
    if (miss.kind === 'type' || miss.kind === 'size') return true
    return Math.abs(miss.kind === 'ratio' ? miss.by : miss.by / miss.required) <= NEAR
  })

const NEAR = 0.25

interface VerdictProps {
  image: Image
  verdict: FormatVerdict
  onFit: (format: ImageFormat) => void
}

function Verdict({ image, verdict, onFit }: VerdictProps) {
  const { t } = useTranslation('images')
  const verdictText = useVerdictText()
  const { format, met, is_advice } = verdict
  const name = t(`format.${format}`)
  const Icon = met ? IconCheck : IconX
  return (
    <li className={styles.verdict} data-met={met || undefined}>
      <Icon size={18} stroke={1.8} aria-hidden />
      <div className={styles.verdictWords}>
        <span>
          <strong>{name}</strong> <Rule format={format} />{' '}
          {is_advice && <StatusBadge tone="neutral" label={t('advice')} />}
        </span>
        <small>{verdictText(verdict)}</small>
      </div>
      {!met && fitBox(image, format) && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('fit.open_for', { format: name })}
          leftSection={<IconCrop size={14} stroke={1.8} aria-hidden />}
          onClick={() => onFit(format)}
        >
          {t('fit.open')}
        </Button>
      )}
    </li>
  )
}

/** What the format asks for. */
function Rule({ format }: { format: ImageFormat }) {
  const { t } = useTranslation('images')
  const { ratio } = formatRules[format]
  const size = sizeOf(format)
  return (
    <small data-tabular>
      {ratio === undefined ? size : t('rule_ratio', { ratio: ratioText(ratio), size })}
    </small>
  )
}
