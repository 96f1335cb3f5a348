import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Image } from '#shared/api/materials.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './images.module.css'
import { Picture } from './picture.tsx'

interface LargePreviewProps {
  image: Image
  previous: Image | undefined
  next: Image | undefined
  onOpen: (id: number) => void
  onBroken: () => void
}

/** The image as large as it fits, between those beside it. */
export function LargePreview({ image, previous, next, onOpen, onBroken }: LargePreviewProps) {
  const { t } = useTranslation('images')
  // Its previews are its first picture.
  const [isPlaying, setIsPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const whole = useBeginning(image.id)
  const { name, url, width, height, is_animated, previews } = image
  const playing = isPlaying ? 'pause' : 'play'
  return (
    <div ref={whole} className={styles.large}>
      <a href={url} target="_blank" rel="noopener" title={t('original')}>
        <Picture
          src={is_animated && isPlaying ? url : previews[1280]}
          width={width}
          height={height}
          alt={t('preview_of', { name })}
          onBroken={onBroken}
        />
      </a>
      <Step towards="previous" to={previous} onOpen={onOpen} />
      <Step towards="next" to={next} onOpen={onOpen} />
      {is_animated && (
        <ActionIcon
          size="lg"
          variant="default"
          className={styles.play ?? ''}
          aria-label={t(playing)}
          title={t(playing)}
          onClick={() => setIsPlaying(!isPlaying)}
        >
          {isPlaying ? <IconPlayerPause size={18} stroke={1.7} /> : <IconPlayerPlay size={18} stroke={1.7} />}
        </ActionIcon>
      )}
    </div>
  )
}

/**
 * The next image begins at the top. A copy is opened from further down, by a button that it does not have:
 * then the focus is here, too.
 */
function useBeginning(id: number) {
  const whole = useRef<HTMLDivElement>(null)
  const [first] = useState(id)
  useEffect(() => {
    whole.current?.scrollIntoView({ block: 'nearest' })
    const isLost = !whole.current?.closest('[role=dialog]')?.contains(document.activeElement)
    if (isLost && id !== first) whole.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [id, first])
  return whole
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
