import { PlatformFailure } from '#server/connectors/connector.ts'
import { isRefusal, unreadable } from '#server/connectors/kit/failures.ts'
import { wholeFileTest } from '#server/connectors/kit/whole-file.ts'
import { download, pathOf } from './client.ts'
import { tableOf, utf8Of, type FileReading } from './file.ts'
import {
  submitReports,
  submitToKeep,
  canBeSplit,
  finishReports,
  splitReport,
  removeReport,
  type ReportJob,
} from './jobs.ts'
import type { LineIo } from './schema.ts'
import type { Table } from './table.ts'

interface ReadReport {
  report: ReportJob
  table: Table
}

/** The tables of all reports of a query; what is too large to be read is requested in parts. */
export async function* tablesOf(reading: FileReading, io: LineIo): AsyncGenerator<ReadReport> {
  for (const report of await submitReports(reading.query.spec, io))
    yield* tablesOfOne(report, { reading, tries: TRIES }, io)
}

const TRIES = 2

async function* tablesOfOne(
  report: ReportJob,
  { reading, tries }: { reading: FileReading; tries: number },
  io: LineIo,
): AsyncGenerator<ReadReport> {
  const outcome = await outcomeOf(report, reading, io)
  if (typeof outcome === 'object') {
    yield { report, table: outcome }
    return
  }
  if (outcome === 'too_large') {
    await removeReport(report, io)
    await splitReport(report.spec, io)
  }
  if (outcome === 'gone') await submitToKeep(report, io)
  // A part has all its tries left; what is not there although LINE says so has not.
  const left = outcome === 'too_large' ? TRIES : tries - 1
  if (left === 0) throw new PlatformFailure('platform_unavailable', { platform_message: `report ${outcome}` })
  await finishReports([report.spec], io)
  for (const each of await submitReports(report.spec, io))
    yield* tablesOfOne(each, { reading, tries: left }, io)
}

async function outcomeOf(
  report: ReportJob,
  reading: FileReading,
  io: LineIo,
): Promise<Table | 'too_large' | 'unfinished' | 'gone'> {
  try {
    return await readTable(report, reading, io)
  } catch (error) {
    if (isRefusal(error, 'CANNOT_DOWNLOAD_REPORT')) return 'unfinished'
    if (isRefusal(error, 'ENTITY_NOT_FOUND_INVALID_ID')) return 'gone'
    const isTooLarge = error instanceof PlatformFailure && error.code === 'too_large'
    if (isTooLarge && canBeSplit(report.spec)) return 'too_large'
    throw error
  }
}

const READINGS = 3

/** A file that cannot be read is downloaded again: it may have been cut short on its way. */
async function readTable({ id, spec }: ReportJob, reading: FileReading, io: LineIo): Promise<Table> {
  const path = pathOf`adaccounts/${spec.account}/pfreports/${id}/download`
  const isWhole = wholeFileTest()
  for (let readings = 1; ; readings += 1) {
    const response = await download(path, io)
    try {
      const file = [utf8Of(response)]
      if (!isWhole(file)) throw unreadable('a file that breaks off')
      return tableOf(file, reading)
    } catch (error) {
      if (!(error instanceof PlatformFailure) || readings === READINGS) throw error
    }
  }
}
