import { Skeleton, Stack } from '@mantine/core'

/** Stands in for a page that takes a while to load. */
export function PageLoading() {
  return (
    <Stack gap="md" p="lg" aria-busy>
      <Skeleton height={28} width={220} />
      <Skeleton height={36} />
      <Skeleton height={240} />
    </Stack>
  )
}
