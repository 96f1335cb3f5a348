import type { Image } from '#shared/api/materials.ts'
import { listText } from '#shared/language.ts'
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
  const { t, language } = useTranslation('images')
  const image = useImage(
    id,
    rows.find(row => row.id === id),
  )
  const onBroken = useNewLinks(image)
  const index = rows.findIndex(row => row.id === id)
  const beside = (step: 1 | -1) => (index === -1 ? undefined : rows[index + step])
  return (
    <MaterialDrawer kind="image" material={image} onClose={onClose}>
      {(row, { isChanged, onChanged }) => (
        <>
          {/* To go on would lose what has been written. */}
          <LargePreview
            image={row}
            previous={isChanged ? undefined : beside(-1)}
            next={isChanged ? undefined : beside(1)}
            onOpen={onOpen}
            onBroken={onBroken}
          />
          <MaterialActions kind="image" row={row} onDeleted={onClose} />
          <MaterialForm key={row.id} kind="image" row={row} onChanged={onChanged} />
          <MaterialFacts
            kind="image"
            row={row}
            isChanged={isChanged}
            type={
              row.is_animated
                ? listText([imageTypeNames[row.mime], t('animated')], language)
                : imageTypeNames[row.mime]
            }
          >
            <Fact name={t('field.dimensions')}>{t('pixels', { width: row.width, height: row.height })}</Fact>
          </MaterialFacts>
          <WhereItFits image={row} onBroken={onBroken} onCopied={copy => isChanged || onOpen(copy.id)} />
        </>
      )}
    </MaterialDrawer>
  )
}
