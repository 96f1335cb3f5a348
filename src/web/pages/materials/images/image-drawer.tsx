import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNewLinks } from '#web/pages/materials/data.ts'
import { MaterialActions, MaterialDrawer } from '#web/pages/materials/material-drawer.tsx'
import { Fact, MaterialFacts } from '#web/pages/materials/material-facts.tsx'
import { MaterialForm } from '#web/pages/materials/material-form.tsx'
import { useImage } from './data.ts'
import styles from './images.module.css'
import { Picture } from './picture.tsx'
import { imageTypeNames } from './type-names.ts'
import { WhereItFits } from './where-it-fits.tsx'

interface ImageDrawerProps {
  id: number
  /** Those of the page, to go on to the next. */
  rows: readonly Image[]
  onOpen: (id: number) => void
  onClose: () => void
}

/** One image: how it looks, what it is, and which platforms take it. */
export function ImageDrawer({ id, rows, onOpen, onClose }: ImageDrawerProps) {
  const { t } = useTranslation('images')
  const image = useImage(
    id,
    rows.find(row => row.id === id),
  )
  const onBroken = useNewLinks(image)
  // What has been written would be lost.
  const [isChanged, setIsChanged] = useState(false)
  const index = rows.findIndex(row => row.id === id)
  const beside = (step: 1 | -1) => (index === -1 || isChanged ? undefined : rows[index + step])
  return (
    <MaterialDrawer kind="image" material={image} onClose={onClose}>
      {row => (
        <>
          <div className={styles.large}>
            <a href={row.url} target="_blank" rel="noopener" title={t('original')}>
              <Picture
                src={row.is_animated ? row.url : row.previews[1280]}
                width={row.width}
                height={row.height}
                alt={t('preview_of', { name: row.name })}
                onBroken={onBroken}
              />
            </a>
            <Step towards="previous" to={beside(-1)} onOpen={onOpen} />
            <Step towards="next" to={beside(1)} onOpen={onOpen} />
          </div>
          <MaterialActions kind="image" row={row} onDeleted={onClose} />
          <MaterialForm key={row.id} kind="image" row={row} onChanged={setIsChanged} />
          <MaterialFacts
            row={row}
            type={[imageTypeNames[row.mime], row.is_animated && t('animated')].filter(Boolean).join(', ')}
          >
            <Fact name={t('field.dimensions')}>{t('pixels', { width: row.width, height: row.height })}</Fact>
          </MaterialFacts>
          <WhereItFits image={row} onBroken={onBroken} onCopied={copy => onOpen(copy.id)} />
        </>
      )}
    </MaterialDrawer>
  )
}

interface StepProps {
  towards: 'previous' | 'next'
  to: Image | undefined
  onOpen: (id: number) => void
}

function Step({ towards, to, onOpen }: StepProps) {
  const { t } = useTranslation('images')
  const Icon = towards === 'previous' ? IconChevronLeft : IconChevronRight
  return (
    <ActionIcon
      size="lg"
      variant="default"
      className={styles.step ?? ''}
      data-towards={towards}
      aria-label={t(`step.${towards}`)}
      title={t(`step.${towards}`)}
      disabled={!to}
      onClick={() => to && onOpen(to.id)}
    >
      <Icon size={20} stroke={1.7} />
    </ActionIcon>
  )
}
