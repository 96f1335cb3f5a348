import { IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './images.module.css'

interface PictureProps {
  src: string
  width: number
  height: number
  /** Beside its name it needs none. */
  alt?: string
  /** It does not load: its link may have expired. */
  onBroken: () => void
}

/** An image in a box of one shape, whatever its own is, on squares where it is transparent. */
export function Picture({ src, width, height, alt = '', onBroken }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span className={styles.picture}>
      {broken === src ? (
        <IconPhotoOff size={24} stroke={1.4} aria-hidden />
      ) : (
        <img
          src={src}
          width={width}
          height={height}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => {
            setBroken(src)
            onBroken()
          }}
        />
      )}
    </span>
  )
}
