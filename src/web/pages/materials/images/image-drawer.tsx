import { useState } from 'react'
import type { Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useNewLinks } from '#web/pages/materials/data.ts'
import { MaterialActions, MaterialDrawer } from '#web/pages/materials/material-drawer.tsx'
import { Fact, MaterialFacts } from '#web/pages/materials/material-facts.tsx'
import { MaterialForm } from '#web/pages/materials/material-form.tsx'
import { useImage } from './data.ts'
import { LargePreview } from './large-preview.tsx'
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
          <LargePreview
            image={row}
            previous={beside(-1)}
            next={beside(1)}
            onOpen={onOpen}
            onBroken={onBroken}
          />
          <MaterialActions kind="image" row={row} onDeleted={onClose} />
          <MaterialForm key={row.id} kind="image" row={row} onChanged={setIsChanged} />
          <MaterialFacts
            kind="image"
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
