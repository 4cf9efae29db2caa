import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { tables } from '@/db';

/** Every column that keeps a blob alive. A test asks the database whether one is missing here. */
export const blobReferences: readonly { table: PgTable; column: PgColumn }[] = [
  { table: tables.images, column: tables.images.blob },
  { table: tables.derivatives, column: tables.derivatives.blob },
  { table: tables.uploadFiles, column: tables.uploadFiles.blob },
  { table: tables.guidePictures, column: tables.guidePictures.blob },
  { table: tables.versions, column: tables.versions.manifest },
  { table: tables.versionImages, column: tables.versionImages.blob },
  { table: tables.exports, column: tables.exports.blob },
  { table: tables.runs, column: tables.runs.checkpoint },
  { table: tables.runFiles, column: tables.runFiles.blob },
  { table: tables.models, column: tables.models.blob },
  { table: tables.modelFiles, column: tables.modelFiles.blob },
  { table: tables.oracleChains, column: tables.oracleChains.blob },
  { table: tables.evaluationTransfers, column: tables.evaluationTransfers.blob },
];
