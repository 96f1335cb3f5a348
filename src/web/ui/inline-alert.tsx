import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './inline-alert.module.css'

interface InlineAlertProps {
  /** Without a message nothing is shown. */
  severity: 'info' | 'success' | 'warning' | 'error' | null
  title?: ReactNode
  /** A button or link at the end. */
  action?: ReactNode
  children?: ReactNode
}

/** A message beside the thing that it is about. */
export function InlineAlert({ severity, title, action, children }: InlineAlertProps) {
  if (severity === null) return null
  const Icon = icons[severity]
  return (
    <div
      className={styles.alert}
      data-severity={severity}
      role={severity === 'error' || severity === 'warning' ? 'alert' : undefined}
    >
      <Icon className={styles.icon} size={18} stroke={1.7} aria-hidden />
      <div className={styles.body}>
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {action}
    </div>
  )
}

const icons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
}
