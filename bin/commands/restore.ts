import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { connect } from '@/db';
import { migrationsFolder } from '@/db/migrate';
import { readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { keepSecret } from '@/lib/config/secrets';
import { conflict } from '@/lib/core/errors';
import { openBackup } from '@/lib/services/backup/archives';
import { requeue, restoreBackup } from '@/lib/services/backup/restore-backup';
import { storage } from '@/lib/services/storage';
import { defineCommand, json, UsageError } from '../command';
import { keepFilesPrivate } from '../database/enter';
import { openDatabase } from '../database/open';
import { startLock, takeLock } from '../start/lock';
import { bytesText, damagedText, noProgress, print, terminalProgress } from '../terminal';

export const command = defineCommand({
  usage: '<file.tar|folder>',
  options: {
    force: { type: 'boolean', description: 'Replace the data of this instance.' },
    json,
  },
  async run(values, [given]) {
    if (!given) throw new UsageError('Pass the file or folder of the backup.');
    const config = readConfig();
    keepFilesPrivate();
    ensureHome(config.home);
    // Held to the end: nobody starts Tessera on what is half restored.
    const lock = takeLock(startLock(config.home), 'restoring a backup');
    if (!('release' in lock))
      throw conflict(`Tessera is running on ${config.home}: process ${lock.pid}. Stop it first.`);
    const progress = (values.json ? noProgress : terminalProgress()).begin('Restoring the backup');
    try {
      const entries = await openBackup(path.resolve(given));
      const database = await openDatabase(config);
      try {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        const { head, manifest, secrets, queued } = await restoreBackup({
          client,
          storage: storage(),
          entries,
          migrations: { folder: migrationsFolder },
          force: values.force ?? false,
          onProgress: progress.update,
        }).finally(() => client.end());
        // Late: it brings every handler of a job with it.
        const [{ prepareDatabase }, { jobHandlers }] = await Promise.all([
          import('../database/prepare'),
          import('@/workers/jobs'),
        ]);
        await prepareDatabase(database.url);
        const db = connect(database.url);
        const begun = await requeue(
          db,
          queued,
          jobHandlers.map(({ kind }) => kind),
        ).finally(() => db.$client.end());
        if (secrets?.secret) keepSecret(config.home, secrets.secret);
        if (secrets?.demoPassword)
          writeFileSync(path.join(config.home, 'demo-password'), `${secrets.demoPassword}\n`, {
            mode: 0o600,
          });
        progress.done(`The backup of ${head.createdAt} is restored`);
        const rows = Object.values(manifest.rows).reduce((sum, n) => sum + n, 0);
        const report = {
          home: config.home,
          database: database.where,
          createdAt: head.createdAt,
          rows,
          blobs: manifest.blobs,
          jobs: begun,
          hasSecret: Boolean(secrets?.secret),
          damaged: manifest.damaged,
        };
        print(values.json, report, () =>
          [
            `${rows} rows, ${manifest.blobs.count} files (${bytesText(manifest.blobs.bytes)}); ${begun} jobs go on when Tessera starts.`,
            report.hasSecret
              ? 'The secret of the backup is in place: sessions and study links stay valid.'
              : 'The backup has no secret: unless TESSERA_SECRET is the one it was made with, everybody has to sign in again and study links must be recreated.',
            ...damagedText(manifest.damaged),
            'Start with `npm start`.',
          ].join('\n'),
        );
        return 0;
      } finally {
        await database.close();
      }
    } catch (error) {
      progress.failed();
      throw error;
    } finally {
      lock.release();
    }
  },
});
