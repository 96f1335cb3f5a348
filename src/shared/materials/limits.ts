/** Of one file that is no picture; pictures have their own (shared/images.ts). */
export const MOST_FILE_BYTES = 50 * 1024 ** 2

export const MOST_TAGS = 20
export const LONGEST_TAG = 40
