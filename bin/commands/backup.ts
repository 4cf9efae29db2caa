import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type Config, projectFolder, readConfig } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';
import { conflict } from '@/lib/core/errors';
import { folderSink, tarSink } from '@/lib/services/backup/archives';
import type { BackupSecrets } from '@/lib/services/backup/layout';
import { writeBackup } from '@/lib/services/backup/write-backup';
import { storage } from '@/lib/services/storage';
import { defineCommand, json, UsageError } from '../command';
import { enterDatabase } from '../database/enter';
import { bytesText, damagedText, noProgress, print, terminalProgress } from '../terminal';

export const command = defineCommand({
  options: {
    out: {
      type: 'string',
      value: 'file.tar|folder',
      description: 'Where to: one tar if it ends in .tar, else a folder.',
    },
    'without-secrets': {
      type: 'boolean',
      description:
        'Leave out what signs sessions and study links; a restore then needs TESSERA_SECRET or makes a new one.',
    },
    json,
  },
  async run(values) {
    if (!values.out) throw new UsageError('Pass --out backup.tar or --out <folder>.');
    const out = path.resolve(values.out);
    if (existsSync(out)) throw conflict(`${out} is there already: name another place, or remove it first.`);
    const given = readConfig();
    await using _ = await enterDatabase();
    const progress = (values.json ? noProgress : terminalProgress()).begin('Writing the backup');
    const half = `${out}.part`;
    await rm(half, { recursive: true, force: true });
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
    try {
      const isTar = out.endsWith('.tar');
      await mkdir(isTar ? path.dirname(out) : half, { recursive: true, mode: 0o700 });
      await client.connect();
      const sink = isTar ? await tarSink(half) : folderSink(half);
      const manifest = await writeBackup({
        client,
        storage: storage(),
        sink,
        release: releaseOf(),
        secrets: values['without-secrets'] ? null : secretsOf(given),
        onProgress: progress.update,
      });
      await sink.close();
      await rename(half, out);
      const rows = Object.values(manifest.rows).reduce((sum, n) => sum + n, 0);
      progress.done(`The backup is in ${out}`);
      const { blobs, queued, damaged } = manifest;
      const secrets = values['without-secrets']
        ? 'left out'
        : given.TESSERA_SECRET
          ? 'yours (TESSERA_SECRET), left out'
          : 'in it: keep it as safe as the instance';
      const report = {
        out,
        bytes: await sizeOf(out),
        tables: Object.keys(manifest.rows).length,
        rows,
        blobs,
        queued,
        secrets,
        damaged,
      };
      print(values.json, report, () =>
        [
          `${report.tables} tables with ${rows} rows, ${blobs.count} files (${bytesText(blobs.bytes)}), ${queued} jobs of the queue.`,
          `Secrets: ${secrets}.`,
          ...damagedText(damaged),
        ].join('\n'),
      );
      return damaged.length > 0 ? 1 : 0;
    } catch (error) {
      progress.failed();
      await rm(half, { recursive: true, force: true });
      throw error;
    } finally {
      await client.end().catch(() => {});
    }
  },
});

/** A secret that came by the environment is kept where the environment is kept. */
function secretsOf({ home, TESSERA_SECRET }: Config): BackupSecrets {
  const demo = path.join(home, 'demo-password');
  return {
    ...(TESSERA_SECRET ? {} : { secret: readSecrets(home)?.secret }),
    ...(existsSync(demo) ? { demoPassword: readFileSync(demo, 'utf8').trim() } : {}),
  };
}

const releaseOf = (): string =>
  JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')).version as string;

async function sizeOf(out: string): Promise<number | null> {
  const found = await stat(out);
  return found.isFile() ? found.size : null;
}
