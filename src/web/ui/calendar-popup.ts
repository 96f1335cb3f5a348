import type { PopoverProps } from '@mantine/core'

/**
 * How a calendar hangs from its field: 300 px wide and whole in any window. Where there is room neither above
 * nor below, it covers the field; it is placed again once its days have been loaded.
 */
export const calendarPopup = {
  width: 300,
  middlewares: { flip: { padding: 8 }, shift: { padding: 8, crossAxis: true } },
  preventPositionChangeWhenVisible: false,
  trapFocus: true,
  returnFocus: true,
  closeOnEscape: false,
} as const satisfies Partial<PopoverProps>
