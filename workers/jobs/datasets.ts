import { z } from 'zod';
import { EXPORT_JOB, runExport } from '@/lib/services/datasets/exports/export-jobs';
import { FREEZE_JOB, freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { importUpload } from '@/lib/services/datasets/import/import-upload';
import { Tag, tagVersion } from '@/lib/services/datasets/versions/mark-version';
import { VERIFY_JOB, verifyVersion } from '@/lib/services/datasets/versions/verify-version';
import { computeStatistics, STATISTICS_JOB } from '@/lib/services/datasets/versions/version-statistics';
import { jobHandler } from '@/lib/services/jobs';
import { Author } from './author';

export const freeze = jobHandler({
  kind: FREEZE_JOB,
  input: z.object({ projectId: z.uuid(), request: FreezeRequest, author: Author, tag: Tag.optional() }),
  run: async (context, { author, tag, ...input }) => {
    const frozen = await freezeVersion(context, author, input);
    if (tag)
      await tagVersion(context.db, author, { projectId: input.projectId, version: frozen.versionId, tag });
    const words = frozen.isNew
      ? `Froze version ${frozen.number}`
      : `Nothing has changed since version ${frozen.number}`;
    await context.log('info', `${words} (${frozen.hash.slice(0, 12)}).`);
    return { ...frozen };
  },
});

export const exportVersion = jobHandler({
  kind: EXPORT_JOB,
  input: z.object({ exportId: z.uuid() }),
  run: runExport,
});

export const verify = jobHandler({
  kind: VERIFY_JOB,
  input: z.object({ projectId: z.uuid(), version: z.uuid() }),
  run: async ({ db, storage, signal, progress, log }, input) => {
    const found = await verifyVersion(db, storage, input, { signal, progress });
    for (const problem of found.problems) await log('error', problem);
    if (found.isWhole) await log('info', `All ${found.images} images and the manifest hash to their names.`);
    return { ...found };
  },
});

export const statistics = jobHandler({
  kind: STATISTICS_JOB,
  input: z.object({ projectId: z.uuid(), version: z.uuid() }),
  run: async (context, input) => {
    await computeStatistics(context, input);
    return undefined;
  },
});

export const importDataset = jobHandler({
  kind: 'import-dataset',
  input: z.object({ uploadId: z.uuid(), author: Author, mayAdopt: z.boolean() }),
  run: async (context, input) => ({ ...(await importUpload(context, input)) }),
});
