import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { addGuidePicture as addPictureByApi, getGuidePicture } from '@/app/api/v1/guide-and-activity';
import { tables } from '@/db';
import { rival10, schemaPresets } from '@/lib/core/schema/presets';
import { scopeIds } from '@/lib/services/access';
import { removeMember } from '@/lib/services/accounts';
import {
  addGuidePicture,
  defaultStageText,
  examplePlaces,
  guideOf,
  saveGuide,
  targetsOf,
} from '@/lib/services/crowd/guide';
import { readAll, storage } from '@/lib/services/storage';
import { collectBlobs } from '@/lib/services/storage/collect-blobs';
import { origin, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { useHome } from '../../../support/home';
import { keyOf, person, tests } from '../../access/people';
import { type Workshop, worker, workshop } from '../workshop';

const db = useDatabase();
useHome();
let shop: Workshop;

beforeAll(async () => {
  shop = await workshop(db());
});

const save = (target: string, text: unknown, stage: keyof Workshop['stages'] = 'attributes') =>
  saveGuide(db(), tests, { projectId: shop.projectId, stageId: shop.stages[stage], target, text });
const read = (stage: keyof Workshop['stages'] = 'attributes') =>
  guideOf(db(), shop.projectId, shop.stages[stage]);
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.kind,
  );

const picture = async () =>
  addGuidePicture(db(), storage(), tests, {
    projectId: shop.projectId,
    name: 'tail.png',
    bytes: await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .jpeg()
      .toBuffer(),
  });

describe('the guide of a stage', () => {
  it('says what the schema says, before anybody wrote anything', async () => {
    const guide = await read();
    expect(guide.general).toMatchObject({ number: null, full: '' });
    expect(guide.general.short).toContain('Colour: choose 1 to 2');
    const tail = guide.targets.find(({ target }) => target === 'tail');
    expect(tail).toMatchObject({ name: 'Tail', number: null, short: expect.stringContaining('tail') });
    expect((await read('part-mask')).targets.map(({ target }) => target)).not.toContain('metallic');
    expect((await read('object-mask')).targets).toEqual([]);
  });

  it.each(schemaPresets.map((preset) => [preset.id, preset] as const))(
    'has a default text for everything that %s asks',
    (_, schema) => {
      for (const kind of ['attributes', 'object-mask', 'part-mask', 'oracle'] as const) {
        expect(defaultStageText(schema, kind)).not.toBe('');
        for (const { definition } of targetsOf(schema, kind)) expect(definition).not.toBe('');
      }
    },
  );

  it('shows what was saved last, and keeps what was saved before', async () => {
    expect(await save('tail', { short: 'First.' })).toEqual({ number: 1 });
    expect(await save('tail', { short: 'Second.', full: '## More' })).toEqual({ number: 2 });
    const tail = (await read()).targets.find(({ target }) => target === 'tail');
    expect(tail).toMatchObject({ number: 2, short: 'Second.', full: '## More' });
    expect(await db().$count(tables.guides)).toBe(2);
  });

  it('numbers two texts that are saved at once', async () => {
    const numbers = await Promise.all([save('ears', { short: 'a' }), save('ears', { short: 'b' })]);
    expect(numbers.map(({ number }) => number).sort()).toEqual([1, 2]);
  });

  it('shows examples with their verdict; one that is not good says why', async () => {
    const { sha256 } = await picture();
    const example = { picture: sha256, verdict: 'not good', caption: 'A dog', note: 'No tail can be seen.' };
    await save('', { short: 'Look.', examples: [example] });
    const { general, pictures } = await read();
    expect(general.examples).toEqual([example]);
    expect(pictures[sha256]).toMatch(/^\/api\/blobs\//);
    expect(await kindOf(save('', { examples: [{ ...example, note: '' }] }))).toBe('invalid');
  });

  it('tells the schema editor where each entry has its examples, and how many', async () => {
    const own = await workshop(db());
    const { sha256 } = await addGuidePicture(db(), storage(), tests, {
      projectId: own.projectId,
      name: 'wing.png',
      bytes: await sharp({ create: { width: 8, height: 6, channels: 3, background: 'blue' } })
        .png()
        .toBuffer(),
    });
    const good = { picture: sha256, verdict: 'good' };
    const write = (stage: keyof Workshop['stages'], count: number) =>
      saveGuide(db(), tests, {
        projectId: own.projectId,
        stageId: own.stages[stage],
        target: 'tail',
        text: { examples: Array(count).fill(good) },
      });
    await write('attributes', 3);
    await write('attributes', 1);
    await write('part-mask', 2);
    const stages = [
      { id: own.stages.attributes, kind: 'attributes' as const },
      { id: own.stages['part-mask'], kind: 'part-mask' as const },
      { id: own.stages['object-mask'], kind: 'oracle' as const },
    ];
    const { classes, targets } = await examplePlaces(db(), own.projectId, rival10, stages);
    expect(targets.tail).toEqual({ stageId: own.stages.attributes, count: 3 });
    expect(targets.metallic).toEqual({ stageId: own.stages.attributes, count: 0 });
    expect(Object.keys(classes)).toEqual(rival10.classes.map(({ id }) => id));
  });

  it('shows no picture but its own', async () => {
    const { sha256 } = await picture();
    const other = await workshop(db());
    const guide = { projectId: other.projectId, stageId: other.stages.attributes, target: '' };
    const text = { examples: [{ picture: sha256, verdict: 'good' }] };
    expect(await kindOf(saveGuide(db(), tests, { ...guide, text }))).toBe('invalid');
    const strange = `![](/api/blobs/${sha256})`;
    await saveGuide(db(), tests, { ...guide, text: { short: strange } });
    expect((await guideOf(db(), other.projectId, other.stages.attributes)).pictures).toEqual({});
  });

  it('was still shown to a removed worker for an hour or two', async () => {
    const { sha256 } = await picture();
    const wanda = await worker(db(), shop);
    const headers = withKey(await keyOf(db(), wanda, 'read'));
    const get = (hash: string) =>
      getGuidePicture.handle(
        new Request(`${origin}/api/v1/work/projects/${shop.slug}/guide-picture?sha256=${hash}`, { headers }),
        { project: shop.slug },
      );
    expect((await get(sha256)).status).toBe(200);
    expect((await get('0'.repeat(64))).status).toBe(404);
    await removeMember(db(), tests, { projectId: shop.projectId, userId: wanda.userId, role: 'worker' });
    expect((await get(sha256)).status).toBe(404);
  });

  it('refuses what it does not ask about, and texts without measure', async () => {
    expect(await kindOf(save('no-such-part', { short: 'x' }))).toBe('invalid');
    expect(await kindOf(save('metallic', { short: 'x' }, 'part-mask'))).toBe('invalid');
    expect(await kindOf(save('', { short: 'x'.repeat(2001) }))).toBe('invalid');
    expect(await kindOf(save('', { html: '<b>' }))).toBe('invalid');
  });
});

describe('a picture of the guide', () => {
  it('is stored without what the camera wrote into it, and the collector leaves it alone', async () => {
    const { sha256 } = await picture();
    await collectBlobs(db(), storage(), { graceMs: -1000 });
    const bytes = await readAll(await storage().get(sha256), 1_000_000);
    const { exif, width, height } = await sharp(bytes).metadata();
    expect({ exif, width, height }).toEqual({ exif: undefined, width: 8, height: 6 });
  });

  it('larger than it may be is refused while it comes, whatever it says about its length', async () => {
    const curator = await person(db(), 'Cora', true);
    const headers = withKey(await keyOf(db(), curator, ...scopeIds));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    const address = `http://localhost:3000/api/v1/projects/${shop.slug}/crowd/guide-pictures?name=a.png`;
    const reply = await addPictureByApi.handle(
      new Request(address, { method: 'POST', headers, body: endless, duplex: 'half' } as RequestInit),
      { project: shop.slug },
    );
    expect(reply.status).toBe(413);
    // What was on its way when it was refused is let pass, with an end to it.
    expect(sent).toBeLessThan(100_000_000);
  });

  it('that is damaged, but can be read with a warning, is taken (it was answered by 500)', async () => {
    const whole = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const scan = whole.indexOf(Buffer.from([0xff, 0xda])) + 20;
    const bytes = Buffer.concat([whole.subarray(0, scan), Buffer.from([0xff, 0xd3]), whole.subarray(scan)]);
    await expect(sharp(bytes).webp().toBuffer()).rejects.toThrow('Corrupt');
    const added = await addGuidePicture(db(), storage(), tests, {
      projectId: shop.projectId,
      name: 'x.jpg',
      bytes,
    });
    expect(added).toMatchObject({ width: 64, height: 48 });
  });

  it('that is none is refused in words', async () => {
    const bytes = Buffer.from('<svg onload="alert(1)"/>');
    const add = addGuidePicture(db(), storage(), tests, { projectId: shop.projectId, name: 'x.svg', bytes });
    await expect(add).rejects.toMatchObject({ kind: 'invalid' });
  });
});
