/** The mark: bars that rise out of a sheet. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-accent-7)" />
      <path
        d="M8 22.5v-5M13.3 22.5v-9M18.7 22.5v-6M24 22.5V9.5"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  )
}
