import { createHash } from 'node:crypto'
import type { ImageFormat } from '#shared/materials/image-formats.ts'

/** By which a copy is known again: no upload has it. */
export const sourceOfCopy = ({ sha256 }: { sha256: string }, format: ImageFormat): string =>
  createHash('sha256').update(`${format} of ${sha256}`).digest('hex')
