import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { readReportFiles } from './read-report-file.ts'

// A thread that reads files of reports, one after the other (report-file-reader.ts).

parentPort?.on('message', text => parentPort?.postMessage(readReportFiles(z.string().parse(text))))
