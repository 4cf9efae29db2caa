import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tinyPng } from '../../../core/formats/support/content';
import { runTessera, temporaryHome } from '../../../support/instance';

let place: Awaited<ReturnType<typeof temporaryHome>>;
let folder = '';
beforeAll(async () => {
  place = await temporaryHome();
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-import-'));
  const coco = {
    images: [{ id: 1, file_name: 'a.png', width: 4, height: 4 }],
    categories: [{ id: 1, name: 'dog' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [[0, 0, 2, 0, 2, 2]] }],
  };
  await writeFile(path.join(folder, 'labels.json'), JSON.stringify(coco));
  await writeFile(path.join(folder, 'a.png'), tinyPng);
});
afterAll(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

it('a person who gives --class with a dataset is told what it is for, before anything is touched', async () => {
  const typed = ['import', folder, '--project', 'pets', '--class', 'dog'];
  const { code, output } = await runTessera(typed, place.env);
  expect(code).toBe(2);
  expect(output).toContain('--class and --refuse-unknown are for pictures');
  expect(output).toContain('Leave them out, or say --format pictures.');
  expect(place.server()).toBeFalsy();
});
