import type { ReactNode } from 'react'
import styles from './scroll-region.module.css'

interface ScrollRegionProps {
  label: string
  /** Its end is what one sees first. */
  fromEnd?: boolean
  children: ReactNode
}

/** A wide table scrolls by itself, so the keyboard must come to it. */
export const ScrollRegion = ({ label, fromEnd = false, children }: ScrollRegionProps) => (
  <div
    className={styles.scroll}
    role="region"
    aria-label={label}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    {...(fromEnd && { ref: showEnd })}
  >
    {children}
  </div>
)

const showEnd = (box: HTMLDivElement | null) => {
  if (box) box.scrollLeft = box.scrollWidth
}
