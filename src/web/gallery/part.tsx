import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'

/** A group of widgets under its name. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <Stack gap="md">{children}</Stack>
    </Card>
  )
}
