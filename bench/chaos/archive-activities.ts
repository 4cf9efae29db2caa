import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { connect, type Database } from '@/db';
import { findEmbedded, startEmbedded } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';
import type { Rng } from '@/lib/demo/scenes/prng';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import { backupLock } from '@/lib/services/storage/collect-blobs';
import type { Hits } from './activities';
import { type Instance, outcomeOf } from './instance';

const tessera = path.join(projectFolder, 'bin', 'tessera.mjs');

/** Backups and restores by the command line, whose process is killed. */
export class ArchiveActivities {
  readonly hits: { backup: Hits; restore: Hits } = {
    backup: { begun: 0, hit: 0 },
    restore: { begun: 0, hit: 0 },
  };
  private readonly brokenBackups: string[] = [];
  private readonly brokenRestores: string[] = [];
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-chaos-archive-'));
  private whole = '';

  constructor(
    private readonly instance: Instance,
    private readonly db: Database,
  ) {
    // PostgreSQL may run as another user, who has to pass through.
    chmodSync(this.folder, 0o711);
  }

  async killBackups(rounds: number, random: Rng): Promise<void> {
    const { home } = this.instance;
    this.whole = path.join(this.folder, 'whole.tar');
    const { ms } = await this.command(['backup', '--out', this.whole], home);
    for (let round = 1; round <= rounds; round++) {
      const out = path.join(this.folder, `backup-${round}.tar`);
      const killed = await this.command(['backup', '--out', out], home, moment(random, ms));
      this.count('backup', killed.code === null);
      const broken = (text: string) => this.brokenBackups.push(`round ${round}: ${text}`);
      if (killed.code === null && existsSync(out)) broken('a killed backup has its final name');
      if (!(await this.isUnlocked())) broken('the lock of the backup is still taken');
      rmSync(out, { force: true });
      const again = await this.command(['backup', '--out', out], home);
      if (again.code !== 0 || !existsSync(out)) broken(`the next backup failed: ${again.output}`);
      rmSync(out, { force: true });
    }
  }

  async killRestores(rounds: number, random: Rng): Promise<void> {
    const home = path.join(this.folder, 'home');
    const first = await this.command(['restore', this.whole], home);
    if (first.code !== 0) this.brokenRestores.push(first.output);
    const wanted = await this.fingerprint(home);
    for (let round = 1; round <= rounds; round++) {
      const killed = await this.command(['restore', this.whole, '--force'], home, moment(random, first.ms));
      this.count('restore', killed.code === null);
      const broken = (text: string) => this.brokenRestores.push(`round ${round}: ${text}`);
      const again = await this.command(['restore', this.whole, '--force'], home);
      if (again.code !== 0) broken(`it cannot be repeated: ${again.output}`);
      if ((await this.fingerprint(home)) !== wanted) broken('other rows than without a kill');
    }
    const doctor = await this.command(['doctor', '--invariants'], home);
    if (doctor.code !== 0) this.brokenRestores.push(doctor.output);
    await this.stopDatabase(home);
    rmSync(this.folder, { recursive: true, force: true });
  }

  outcomes(): Outcome[] {
    return [
      outcomeOf(
        'backup',
        'a killed backup leaves no file of its name and no lock, and the next succeeds',
        this.brokenBackups,
      ),
      outcomeOf(
        'restore',
        'a killed restore is repeated with --force and gives every row',
        this.brokenRestores,
      ),
    ];
  }

  private count(name: 'backup' | 'restore', isHit: boolean): void {
    this.hits[name].begun += 1;
    if (isHit) this.hits[name].hit += 1;
  }

  /** Runs a command; with a moment, kills it then. Code null: it was killed before its end. */
  private async command(args: string[], home: string, killAfterMs?: number) {
    const began = performance.now();
    const child: ChildProcess = spawn(process.execPath, [tessera, ...args], {
      cwd: projectFolder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', TESSERA_HOME: home } as never,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const ended = once(child, 'close');
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    await ended;
    clearTimeout(timer);
    return { code: child.exitCode, output, ms: performance.now() - began };
  }

  /** A session takes a moment to end after its client. */
  private async isUnlocked(): Promise<boolean> {
    for (let tries = 0; tries < 50; tries++) {
      const { rows } = await this.db.execute<{ free: boolean }>(
        sql`select not exists (select 1 from pg_locks where locktype = 'advisory' and objid = ${backupLock}) as free`,
      );
      if (rows[0]?.free) return true;
      await sleep(100);
    }
    return false;
  }

  /** The number of rows of every table of the restored instance, and a hash of the evidence. */
  private async fingerprint(home: string): Promise<string> {
    const server = this.serverOf(home);
    // A command leaves the database as it found it: started here, it is stopped by nobody else.
    const own = server ?? (await startFor(home));
    const db = connect(own.url(), { max: 1 });
    try {
      const { rows } = await db.execute<{ print: string }>(sql`
        select string_agg(print, ' ') as print from (
          select 'answers ' || md5(string_agg(a::text, ',' order by a.id)) as print from answers a
          union all select 'labels ' || md5(string_agg(b::text, ',' order by b.id)) from labels b
          union all select 'ledger ' || md5(string_agg(l::text, ',' order by l.id)) from ledger l
          union all select 'versions ' || md5(string_agg(v::text, ',' order by v.id)) from versions v
          union all select 'blobs ' || count(*) from blobs
          union all select 'queue ' || count(*) from pgboss.job) t`);
      return rows[0]?.print ?? '';
    } finally {
      await db.$client.end();
      if (!server) await own.stop();
    }
  }

  private serverOf(home: string) {
    const secrets = readSecrets(home);
    return secrets && findEmbedded(home, secrets.databasePassword);
  }

  private async stopDatabase(home: string): Promise<void> {
    await this.serverOf(home)?.stop();
  }
}

const startFor = (home: string) => startEmbedded(home, readSecrets(home)?.databasePassword as string);

/** Starting Node takes the first part of a command; the work is in the rest. */
const moment = (random: Rng, ms: number): number => random.integer(Math.round(ms * 0.3), Math.round(ms));
