/** Of one file that is uploaded; images have a limit of their own. */
export const MOST_FILE_BYTES = 100 * 1024 * 1024
