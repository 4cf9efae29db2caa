import { beforeAll, describe, expect, it } from 'vitest';
import {
  exportTranslations,
  getTranslations,
  importTranslations as importByApi,
  listTranslations,
  saveTranslations as saveByApi,
} from '@/app/api/v1/translations';
import { textKeys } from '@/lib/core/translations';
import { importTranslations, translationsOf } from '@/lib/services/crowd/translations';
import { browserOf, call, origin } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { join, person, project, tests } from '../../access/people';
import { type Workshop, workshop } from '../workshop';

const db = useDatabase();
let shop: Workshop;

beforeAll(async () => {
  shop = await workshop(db());
});

const nameKey = textKeys.projectName;

describe('through the API', () => {
  it('curators translate, others and curators of other projects do not', async () => {
    const own = await workshop(db());
    const other = await project(db());
    const [cora, stan, rita, wanda] = (await Promise.all(
      ['Cora', 'Stan', 'Rita', 'Wanda'].map((name) => person(db(), name)),
    )) as [Awaited<ReturnType<typeof person>>, ...Awaited<ReturnType<typeof person>>[]];
    await join(db(), cora, own.projectId, 'curator');
    await join(db(), stan as typeof cora, other.id, 'curator');
    await join(db(), rita as typeof cora, own.projectId, 'researcher');
    await join(db(), wanda as typeof cora, own.projectId, 'worker');
    const params = { project: own.slug };
    const body = { language: 'es', changes: [{ key: nameKey, text: 'Aves', number: 0 }] };
    for (const { email } of [stan, rita, wanda] as (typeof cora)[]) {
      const headers = await browserOf(email);
      expect((await call(saveByApi, { headers, params, body })).status).toBe(404);
      expect((await call(listTranslations, { headers, params })).status).toBe(404);
      expect((await call(getTranslations, { headers, params, query: '?language=es' })).status).toBe(404);
    }
    const headers = await browserOf(cora.email);
    expect((await call(saveByApi, { headers, params, body })).json).toEqual({ saved: 1 });
    // Sent again after a lost answer, and a different text that did not see the first.
    expect((await call(saveByApi, { headers, params, body })).json).toEqual({ saved: 0 });
    const late = { ...body, changes: [{ key: nameKey, text: 'Pájaros', number: 0 }] };
    expect((await call(saveByApi, { headers, params, body: late })).status).toBe(409);
    expect((await call(saveByApi, { headers, params, body: { ...body, language: 'xx' } })).status).toBe(400);
    const listed = await call(listTranslations, { headers, params });
    expect(listed.json.languages[0]).toMatchObject({ language: 'es', progress: { translated: 1 } });
  });

  it('a language goes out as a file and comes back with its translations', async () => {
    const own = await workshop(db());
    const cora = await person(db(), 'Cora');
    await join(db(), cora, own.projectId, 'curator');
    const headers = await browserOf(cora.email);
    const params = { project: own.slug };
    for (const [format, language] of [
      ['json', 'es'],
      ['csv', 'ja'],
    ] as const) {
      const path = exportTranslations.path.replace('{project}', own.slug);
      const request = new Request(`${origin}${path}?language=${language}&format=${format}`, { headers });
      const file = await exportTranslations.handle(request, params);
      expect(file.headers.get('content-disposition')).toContain(`${own.slug}-${language}.${format}`);
      const { entries } = await translationsOf(db(), own.projectId, language);
      const content = (await file.text()).replace(
        format === 'json' ? '"original": "Birds",\n      "translation": ""' : 'missing,Birds,',
        format === 'json' ? '"original": "Birds",\n      "translation": "Aves"' : 'missing,Birds,鳥',
      );
      const body = { language, format, content };
      const result = await call(importByApi, { headers, params, body });
      expect(result.json).toMatchObject({ unchanged: 0, problems: [] });
      expect(result.json.imported).toBeGreaterThan(0);
      expect(result.json.imported + result.json.empty).toBe(entries.length);
      const { entries: after } = await translationsOf(db(), own.projectId, language);
      expect(after.find(({ key }) => key === nameKey)?.translation).toBe(language === 'es' ? 'Aves' : '鳥');
    }
  });

  it('a file of another language or of no known form is refused', async () => {
    const importFile = (content: string, format: 'json' | 'csv' = 'json') =>
      importTranslations(db(), tests, { projectId: shop.projectId, language: 'es', format, content });
    const invalid = { kind: 'invalid' };
    const file = { format: 'tessera-translations', version: 1, to: 'fr', texts: [] };
    await expect(importFile(JSON.stringify(file))).rejects.toMatchObject(invalid);
    await expect(importFile('<html>')).rejects.toMatchObject(invalid);
    await expect(importFile('key,original,translation\n"', 'csv')).rejects.toMatchObject(invalid);
  });
});
