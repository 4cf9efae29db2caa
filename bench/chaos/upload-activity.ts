import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Rng } from '@/lib/demo/scenes/prng';
import type { Hits } from './activities';
import type { Browser } from './browser';
import type { Instance } from './instance';

const CHUNKS = 40;
const CHUNK_BYTES = 100_000;
const CHUNK_MS = 50;

/** Kills the web server while a file is on its way, then sends the file again, as a browser does. */
export async function killDuringUpload(
  instance: Instance,
  db: Database,
  { browser, project }: { browser: Browser; project: string },
  { rounds, random }: { rounds: number; random: Rng },
): Promise<{ hits: Hits; broken: string[] }> {
  const hits: Hits = { begun: 0, hit: 0 };
  const broken: string[] = [];
  const { id } = await browser.ask<{ id: string }>('POST', `/projects/${project}/uploads`, {});
  const { uploadFiles } = tables;
  for (let round = 1; round <= rounds; round++) {
    const name = `slow-${round}.jpg`;
    const bytes = randomBytes(CHUNKS * CHUNK_BYTES);
    const path = `/projects/${project}/uploads/${id}/files?name=${name}`;
    let sent = 0;
    async function* slowly() {
      for (; sent < CHUNKS; sent++) {
        yield new Uint8Array(bytes.subarray(sent * CHUNK_BYTES, (sent + 1) * CHUNK_BYTES));
        await sleep(CHUNK_MS);
      }
    }
    hits.begun += 1;
    const reply = browser.send('PUT', path, slowly());
    await sleep(random.integer(50, CHUNKS * CHUNK_MS));
    const isUnderWay = sent < CHUNKS;
    for (const pid of instance.processesOf('web')) process.kill(pid, 'SIGKILL');
    const status = await reply.then(
      (answered) => answered.status,
      () => 0,
    );
    if (isUnderWay) hits.hit += 1;
    await instance.untilReady(instance.urls);
    const stored = () => db.select().from(uploadFiles).where(eq(uploadFiles.name, name));
    const before = (await stored()).length;
    if (before > (status === 200 || !isUnderWay ? 1 : 0)) broken.push(`${name}: a half file is visible`);
    await browser.put(path, bytes);
    if ((await stored()).length !== 1) broken.push(`${name}: not there exactly once`);
  }
  return { hits, broken };
}
