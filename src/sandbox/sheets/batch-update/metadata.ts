import { randomInt } from 'node:crypto'
import type { sheets_v4 } from '@googleapis/sheets'
import type { Book, Metadata } from '#sandbox/sheets/book.ts'
import { invalid } from '#sandbox/sheets/errors.ts'
import { wants } from '#sandbox/sheets/fields-mask.ts'
import { findMetadata, readLocation, viewMetadata } from '#sandbox/sheets/metadata.ts'
import type { Work } from '#sandbox/sheets/work.ts'
import { readFields } from './fields.ts'

type Response = sheets_v4.Schema$Response

/** Measured on the live service: 20,000 characters are taken, 100,000 refused; 30,000 are documented. */
const MOST_CHARACTERS = 30_000

export function createDeveloperMetadata(
  work: Work,
  { developerMetadata }: sheets_v4.Schema$CreateDeveloperMetadataRequest,
): Response {
  const { metadataId, metadataKey, metadataValue, visibility, location } = developerMetadata ?? {}
  if (!metadataKey) throw invalid('Developer metadata must have a key.')
  const entry: Metadata = {
    id: newId(work.book, metadataId),
    key: metadataKey,
    value: metadataValue ?? null,
    visibility: readVisibility(visibility),
    project: work.project,
    location: readLocation(work.book, location),
  }
  refuseLong(entry)
  work.book.metadata.push(entry)
  return { createDeveloperMetadata: { developerMetadata: viewMetadata(entry) } }
}

export function updateDeveloperMetadata(
  work: Work,
  request: sheets_v4.Schema$UpdateDeveloperMetadataRequest,
): Response {
  const mask = readFields(request.fields, 'DeveloperMetadata')
  const requested = request.developerMetadata ?? {}
  const found = findMetadata(work.book, work.project, request.dataFilters ?? [])
  for (const entry of found) {
    if (wants(mask, 'metadataKey')) {
      if (!requested.metadataKey) throw invalid('Developer metadata must have a key.')
      entry.key = requested.metadataKey
    }
    if (wants(mask, 'metadataValue')) entry.value = requested.metadataValue ?? null
    if (wants(mask, 'visibility')) entry.visibility = readVisibility(requested.visibility)
    if (wants(mask, 'location')) entry.location = readLocation(work.book, requested.location)
    refuseLong(entry)
  }
  return { updateDeveloperMetadata: found.length > 0 ? { developerMetadata: found.map(viewMetadata) } : {} }
}

export function deleteDeveloperMetadata(
  work: Work,
  { dataFilter }: sheets_v4.Schema$DeleteDeveloperMetadataRequest,
): Response {
  if (!dataFilter) throw invalid('Must specify a data filter.')
  const found = findMetadata(work.book, work.project, [dataFilter])
  work.book.metadata = work.book.metadata.filter(entry => !found.includes(entry))
  return {
    deleteDeveloperMetadata: found.length > 0 ? { deletedDeveloperMetadata: found.map(viewMetadata) } : {},
  }
}

function newId(book: Book, requested: number | null | undefined): number {
  if (typeof requested === 'number') {
    if (requested <= 0) throw invalid(`metadataId[${requested}] must be positive.`)
    if (book.metadata.some(each => each.id === requested))
      throw invalid(`Developer metadata with id ${requested} already exists.`)
    return requested
  }
  while (true) {
    const id = randomInt(1, 2 ** 31 - 1)
    if (!book.metadata.some(each => each.id === id)) return id
  }
}

function readVisibility(visibility: string | null | undefined): Metadata['visibility'] {
  if (visibility === 'DOCUMENT' || visibility === 'PROJECT') return visibility
  throw invalid('Developer metadata must have a visibility.')
}

function refuseLong({ key, value }: Metadata) {
  if (key.length + (value?.length ?? 0) > MOST_CHARACTERS) {
    throw invalid(`Developer metadata exceeds the limit of ${MOST_CHARACTERS} characters.`)
  }
}
