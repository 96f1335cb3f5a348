import { UnstyledButton } from '@mantine/core'
import type { Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TagList } from '#web/pages/materials/tag-list.tsx'
import { PAGE_SIZE } from './data.ts'
import { usePlatformsText } from './format-names.ts'
import styles from './images.module.css'
import { Picture } from './picture.tsx'
import { imageTypeNames } from './type-names.ts'

interface ImageGridProps {
  images: readonly Image[]
  /** Newer ones are loading. */
  stale: boolean
  onOpen: (id: number) => void
  onBroken: () => void
}

export function ImageGrid({ images, stale, ...props }: ImageGridProps) {
  const { t } = useTranslation('images')
  return (
    <ul className={styles.grid} aria-label={t('title')} aria-busy={stale} data-stale={stale || undefined}>
      {images.map(image => (
        <li key={image.id}>
          <ImageCard image={image} {...props} />
        </li>
      ))}
    </ul>
  )
}

interface ImageCardProps extends Pick<ImageGridProps, 'onOpen' | 'onBroken'> {
  image: Image
}

function ImageCard({ image, onOpen, onBroken }: ImageCardProps) {
  const { t } = useTranslation('images')
  const { t: tMaterials } = useTranslation('materials')
  const { id, name, width, height, mime, is_animated, formats, tags, previews } = image
  const platforms = usePlatformsText()(formats)
  return (
    <UnstyledButton className={styles.card} onClick={() => onOpen(id)}>
      <Picture src={previews[320]} width={width} height={height} onBroken={onBroken} />
      <span className={styles.cardWords}>
        <span className={styles.cardName}>{name}</span>
        <small data-tabular>
          {[`${width}×${height}`, imageTypeNames[mime], is_animated && t('animated')]
            .filter(Boolean)
            .join(' · ')}
        </small>
        <small>{image.advertiser_name ?? tMaterials('agency')}</small>
        <small data-fits={platforms === '' ? undefined : true}>
          {platforms === '' ? t('fits_none') : t('fits_platforms', { platforms })}
        </small>
        <TagList tags={tags} most={2} />
      </span>
    </UnstyledButton>
  )
}

/** As large as the grid that replaces it, so that nothing jumps. */
export function GridLoading() {
  const { t } = useTranslation('ui')
  return (
    <output className={styles.grid} aria-label={t('loading')}>
      {Array.from({ length: PAGE_SIZE / 2 }, (_, card) => (
        <span key={card} className={styles.cardLoading} />
      ))}
    </output>
  )
}
