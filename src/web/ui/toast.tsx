import { CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { RichText } from '#web/i18n/rich-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Rich } from './rich-text.tsx'
import styles from './toast.module.css'

interface ToastProps {
  severity: keyof typeof kinds
  message: string
  sub_message?: RichText
  /** What can be done about it; it closes the toast. */
  action?: { label: string; onClick: () => void }
  /** Milliseconds until it closes by itself; 0 never. Waits while the keyboard's focus is in it. */
  duration: number
  onClose: () => void
}

/** One toast: what kind (title and icon, never colour alone), the message, and what belongs to it. */
export function Toast({ severity, message, sub_message, action, duration, onClose }: ToastProps) {
  const { t } = useTranslation('ui')
  const [held, setHeld] = useState(false)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (duration === 0 || held) return undefined
    const timer = setTimeout(() => close(), duration)
    return () => clearTimeout(timer)
  }, [duration, held])
  const { kind, icon: Icon } = kinds[severity]
  return (
    <div
      className={styles.toast}
      data-severity={kind}
      data-long={severity === 'warning_long' || undefined}
      role={kind === 'error' || kind === 'warning' ? 'alert' : 'status'}
      onFocus={event => setHeld(event.target.matches(':focus-visible'))}
      onBlur={() => setHeld(false)}
    >
      <Icon className={styles.icon} size={20} stroke={1.7} aria-hidden />
      <div className={styles.body}>
        <strong className={styles.title}>{t(`severity.${kind}`)}</strong>
        <p className={styles.message}>{message}</p>
        {sub_message && (
          <p className={styles.sub}>
            <Rich>{sub_message}</Rich>
          </p>
        )}
        {action && (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              onClose()
              action.onClick()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <CloseButton size="md" onClick={onClose} aria-label={t('close')} />
    </div>
  )
}

const kinds = {
  info: { kind: 'info', icon: IconInfoCircle },
  success: { kind: 'success', icon: IconCircleCheck },
  warning: { kind: 'warning', icon: IconAlertTriangle },
  warning_long: { kind: 'warning', icon: IconAlertTriangle },
  error: { kind: 'error', icon: IconCircleX },
} as const
