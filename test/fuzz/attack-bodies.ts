import { type Endpoint, isSchema } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import { newId } from '@/db';
import { oneOfEach } from '../support/one-of-each';
import type { Attack } from './attack';
import { idFor } from './attacks';
import type { Campaign } from './campaign';
import { type HostileFile, mangled } from './files';
import { hostileBodies, pick } from './hostile';
import { settled } from './settled';

const takesBytes = endpoints.filter((entry) => entry.body !== undefined && !isSchema(entry.body));

/** Every file to every endpoint that takes bytes: as it is, mangled, and as a form, which none of them takes. */
export async function attackBodies(campaign: Campaign): Promise<void> {
  const { chance, files, db } = campaign;
  for (let round = 0; !campaign.isOver(); round++) {
    const world = await oneOfEach(db, `B${round}`);
    const callers = await campaign.callersOf(world);
    const attacks = takesBytes.flatMap((entry) =>
      files.map((file): Attack => {
        const path = entry.path.replace(
          /\{(\w+)\}/g,
          (_, name) => idFor(name, world.ids, entry.path) ?? newId(),
        );
        const body = round === 0 ? file.bytes : mangled(file.bytes, chance);
        return {
          method: entry.method,
          path: `${path}${queryFor(entry, file)}`,
          ...(chance.below(5) === 0 ? asForm(file.name, body) : asBytes(entry, body)),
          name: `${entry.method} ${entry.path} with ${file.name}`,
        };
      }),
    );
    for (const attack of attacks) attack.headers = { ...attack.headers, ...pick(callers, chance) };
    await campaign.sendAll('bodies', attacks);
    await attackModels(campaign, world.slug, callers[0] as Record<string, string>);
    campaign.tell('bodies');
  }
}

const asBytes = (entry: Endpoint, body: Buffer) => ({
  headers: { 'content-type': isSchema(entry.body) ? '' : (entry.body?.mediaType ?? '') },
  body,
});

/** As a browser's form sends files, which is how scanners of the web try. */
function asForm(name: string, bytes: Buffer) {
  const edge = `----${newId()}`;
  const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="../../${name}"\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${edge}` } as Record<string, string>,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]),
  };
}

/** As far as these endpoints ask for one. */
function queryFor(entry: Endpoint, file: HostileFile): string {
  if (entry.query === undefined) return '';
  const given = { name: file.name, kind: 'model', path: file.name };
  const fitting = Object.entries(given).filter(
    ([name]) => entry.query?.safeParse({ [name]: given[name as 'name'] }).success,
  );
  const chosen = fitting.length > 0 ? fitting.slice(0, 1) : Object.entries(given);
  return `?${new URLSearchParams(chosen)}`;
}

/** Model files that were taken are entered, so that the worker opens them. */
async function attackModels(
  campaign: Campaign,
  slug: string,
  headers: Record<string, string>,
): Promise<void> {
  const { chance, files } = campaign;
  const project = `/api/v1/projects/${slug}`;
  const jobs: string[] = [];
  for (const file of files.filter(({ name }) => name.endsWith('.onnx'))) {
    if (campaign.isOver()) break;
    const sent = await campaign.send('bodies', {
      method: 'POST',
      path: `${project}/model-files`,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: mangled(file.bytes, chance),
      name: `model file ${file.name}`,
    });
    if (sent.status !== 201) continue;
    const { receipt } = JSON.parse(sent.text) as { receipt: string };
    const contract = { classes: ['bird', 'dog', pick(['fish', '__proto__', '', 'x'.repeat(500)], chance)] };
    const entered = await campaign.send('bodies', {
      method: 'POST',
      path: `${project}/models`,
      headers: { ...headers, 'content-type': 'application/json' },
      body:
        chance.below(4) === 0
          ? pick(hostileBodies, chance)
          : JSON.stringify({ name: file.name, files: { model: receipt }, contract }),
      name: `enter ${file.name}`,
    });
    if (entered.status === 202) jobs.push((JSON.parse(entered.text) as { jobId: string }).jobId);
  }
  await settled(campaign, headers, jobs);
}
