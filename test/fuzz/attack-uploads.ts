import { scopeIds } from '@/lib/services/access';
import { keyOf } from '../services/access/people';
import { oneOfEach } from '../support/one-of-each';
import type { Campaign } from './campaign';
import { type HostileFile, mangled } from './files';
import { goodFiles, spoiled } from './readers';
import { settled } from './settled';

/** Uploads whose jobs are waited for together. */
const together = 12;
const mostFiles = 30;

/** Files through the door that people use: sent, taken in as pictures or as a dataset, by the real worker. */
export async function attackUploads(campaign: Campaign): Promise<void> {
  const { db, chance, files } = campaign;
  const good = await goodFiles({ withParquet: true });
  for (let round = 0; !campaign.isOver(); round++) {
    const { slug, member } = await oneOfEach(db, `U${round}`);
    const headers = { authorization: `Bearer ${await keyOf(db, member, ...scopeIds)}` };
    const datasets = good
      .filter(({ files: set }) => set.size > 0 && set.size < 60)
      .map(({ format, files: set }) => ({
        format: chance.below(2) === 0 ? format.id : undefined,
        set: [...spoiled(set, files, chance)].map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })),
      }));
    const singles = files.map((file) => ({ format: undefined, set: [file] }));
    let jobs: string[] = [];
    for (const { set, format } of [...datasets, ...singles]) {
      if (campaign.isOver()) break;
      const jobId = await upload(campaign, slug, headers, set, format);
      if (jobId) jobs.push(jobId);
      if (jobs.length < together) continue;
      await settled(campaign, headers, jobs);
      jobs = [];
    }
    await settled(campaign, headers, jobs);
    campaign.tell('uploads');
  }
}

async function upload(
  campaign: Campaign,
  slug: string,
  headers: Record<string, string>,
  set: readonly HostileFile[],
  format: string | undefined,
): Promise<string | null> {
  const { chance } = campaign;
  const ask = async (method: string, path: string, body?: string | Buffer, type = 'application/json') => {
    const { status, text } = await campaign.send('uploads', {
      method,
      path: `/api/v1/projects/${slug}/uploads${path}`,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      body,
      name: `upload of ${set[0]?.name.slice(0, 60)}`,
    });
    return status < 300 ? (JSON.parse(text) as { id: string; jobId: string }) : null;
  };
  const made = await ask('POST', '', '{}');
  if (!made) return null;
  for (const { name, bytes } of set.slice(0, mostFiles)) {
    const query = new URLSearchParams({ name: name.replace(/\p{Surrogate}/gu, '') || 'x' });
    // Of a dataset one file is spoiled already; a file alone is sent as it is, or mangled.
    const sent = set.length > 1 ? bytes : mangled(bytes, chance);
    await ask('PUT', `/${made.id}/files?${query}`, sent, 'application/octet-stream');
  }
  await ask('GET', `/${made.id}/formats`);
  const started =
    ((set.length > 1 || chance.below(3) === 0) &&
      (await ask('POST', `/${made.id}/import`, JSON.stringify({ format })))) ||
    (await ask('POST', `/${made.id}/finish`));
  return started ? started.jobId : null;
}
