import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConsent, giveConsent } from '@/app/api/v1/account';
import { getBatch as getBatchByApi } from '@/app/api/v1/work';
import { tables } from '@/db';
import type { Locale } from '@/lib/core/i18n/locales';
import { textKeys } from '@/lib/core/translations';
import { listAudit } from '@/lib/services/activity';
import { agree, consentHistory, newestText, publishText, withdraw } from '@/lib/services/crowd/consent';
import { guideOf, saveGuide } from '@/lib/services/crowd/guide';
import {
  projectNames,
  projectTexts,
  saveTranslations,
  translateConsent,
  translateGuide,
  translationProgress,
  translationsOf,
} from '@/lib/services/crowd/translations';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { updateProject } from '@/lib/services/projects';
import { browserOf, call } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { tests } from '../../access/people';
import { ask, take, type Workshop, worker, workshop } from '../workshop';

const db = useDatabase();
let shop: Workshop;

beforeAll(async () => {
  shop = await workshop(db());
});

const entryOf = async (key: string, language: Locale = 'es', { projectId } = shop) => {
  const { entries } = await translationsOf(db(), projectId, language);
  const entry = entries.find((each) => each.key === key);
  if (!entry) throw new Error(`There is no text ${key}.`);
  return entry;
};

const write = async (key: string, text: string, language: Locale = 'es', own = shop) =>
  saveTranslations(db(), tests, {
    projectId: own.projectId,
    language,
    changes: [{ key, text, number: (await entryOf(key, language, own)).number }],
  });

/** Every text of an area, with its own words behind a mark. */
const writeAll = async (area: string, language: Locale = 'es', own = shop) => {
  const { entries } = await translationsOf(db(), own.projectId, language);
  const changes = entries
    .filter((entry) => entry.area === area)
    .map(({ key, original, number }) => ({ key, number, text: `${language} ${original}` }));
  return saveTranslations(db(), tests, { projectId: own.projectId, language, changes });
};

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.kind ?? String(error),
  );

const nameKey = textKeys.projectName;

describe('the translation of a text', () => {
  it('is missing, translated, outdated, and translated again when the text comes back', async () => {
    const own = await workshop(db());
    const key = textKeys.guideShort(own.stages['part-mask'], '');
    const guide = (short: string) =>
      saveGuide(db(), tests, {
        projectId: own.projectId,
        stageId: own.stages['part-mask'],
        target: '',
        text: { short },
      });
    await guide('Draw the edge.');
    expect(await entryOf(key, 'es', own)).toMatchObject({ state: 'missing', number: 0 });
    await write(key, 'Dibuja el borde.', 'es', own);
    expect(await entryOf(key, 'es', own)).toMatchObject({ state: 'translated', number: 1 });
    await guide('Draw every edge.');
    expect(await entryOf(key, 'es', own)).toMatchObject({
      state: 'outdated',
      translation: 'Dibuja el borde.',
      translatedFrom: 'Draw the edge.',
    });
    const shown = (await projectTexts(db(), own.projectId, 'es')).show(key, 'Draw every edge.');
    expect(shown).toEqual({ text: 'Draw every edge.', language: 'en' });
    await guide('Draw the edge.');
    expect(await entryOf(key, 'es', own)).toMatchObject({ state: 'translated' });
  });

  it('that is outdated counts again when it is saved as it is', async () => {
    const own = await workshop(db());
    await write(nameKey, 'Aves', 'es', own);
    await updateProject(db(), tests, own.projectId, { name: 'Birds!' });
    const { translation } = await entryOf(nameKey, 'es', own);
    expect(await write(nameKey, translation, 'es', own)).toEqual({ saved: 1 });
    expect(await entryOf(nameKey, 'es', own)).toMatchObject({ state: 'translated', number: 2 });
    expect(await write(nameKey, translation, 'es', own)).toEqual({ saved: 0 });
  });

  it('is removed by an empty text, and what was written stays on record', async () => {
    await write(nameKey, 'Oiseaux', 'fr');
    await write(nameKey, '', 'fr');
    expect(await entryOf(nameKey, 'fr')).toMatchObject({ state: 'missing', translation: '', number: 2 });
    const rows = await db()
      .select({ text: tables.textTranslations.text })
      .from(tables.textTranslations)
      .where(
        and(eq(tables.textTranslations.projectId, shop.projectId), eq(tables.textTranslations.locale, 'fr')),
      )
      .orderBy(tables.textTranslations.number);
    expect(rows).toEqual([{ text: 'Oiseaux' }, { text: '' }]);
  });

  it('does not overwrite what another curator saved meanwhile', async () => {
    const save = (text: string) =>
      saveTranslations(db(), tests, {
        projectId: shop.projectId,
        language: 'de',
        changes: [{ key: nameKey, text, number: 0 }],
      });
    const outcomes = await Promise.all(
      ['Vögel', 'Federvieh', 'Piepmätze'].map((text) => errorOf(save(text))),
    );
    expect(outcomes.sort()).toEqual(['conflict', 'conflict', 'done']);
    expect((await entryOf(nameKey, 'de')).number).toBe(1);
  });

  it('stores nothing when one of several texts cannot be stored', async () => {
    const changes = [
      { key: textKeys.className('ball'), text: 'Ball', number: 0 },
      { key: textKeys.consent('statement'), text: 'Ich bin erwachsen.', number: 0 },
    ].map((each, index) =>
      index === 0 ? { ...each, key: `schema/class/${shop.schema.classes[0]?.id}/name` } : each,
    );
    const save = saveTranslations(db(), tests, { projectId: shop.projectId, language: 'de', changes });
    expect(await errorOf(save)).toBe('invalid');
    expect(await entryOf(changes[0]?.key as string, 'de')).toMatchObject({ state: 'missing', number: 0 });
  });

  it.each([
    ['far too long', nameKey, 'x'.repeat(201), 'invalid'],
    ['with a character that turns the direction', nameKey, 'a\u202eb', 'invalid'],
    ['on two lines where one is shown', nameKey, 'a\nb', 'invalid'],
    ['of a text that does not exist', 'guide/none//short', 'a', 'conflict'],
    ['of a key made to confuse', '__proto__', 'a', 'conflict'],
  ])('%s is refused', async (_, key, text, kind) => {
    const save = saveTranslations(db(), tests, {
      projectId: shop.projectId,
      language: 'hi',
      changes: [{ key, text, number: 0 }],
    });
    expect(await errorOf(save)).toBe(kind);
  });

  it('into the language of the originals is refused, and that language can be changed', async () => {
    const own = await workshop(db());
    expect(await errorOf(write(nameKey, 'Birds', 'en', own))).toBe('invalid');
    await updateProject(db(), tests, own.projectId, { language: 'es' });
    expect(await errorOf(write(nameKey, 'Birds', 'en', own))).toBe('done');
    const { original, languages } = await translationProgress(db(), own.projectId);
    expect(original).toBe('es');
    expect(languages.map(({ language }) => language)).not.toContain('es');
    const texts = await projectTexts(db(), own.projectId, 'en');
    expect(texts.show(nameKey, 'Birds')).toEqual({ text: 'Birds', language: 'en' });
  });

  it('is in the activity of the project, with the language and the keys', async () => {
    const own = await workshop(db());
    await write(nameKey, 'Aves', 'es', own);
    const entries = await listAudit(db(), { projectId: own.projectId, limit: 50 });
    expect(entries).toContainEqual(
      expect.objectContaining({
        verb: 'translation.save',
        detail: expect.objectContaining({ language: 'es', count: 1, keys: [nameKey] }),
      }),
    );
  });
});

describe('a guide', () => {
  it('is shown with its translations, each text in its own language', async () => {
    const own = await workshop(db());
    const stageId = own.stages['part-mask'];
    await saveGuide(db(), tests, {
      projectId: own.projectId,
      stageId,
      target: '',
      text: { short: 'Draw.', full: 'Draw all of it.' },
    });
    await writeAll('schema', 'es', own);
    await write(textKeys.guideShort(stageId, ''), 'Dibuja.', 'es', own);
    const texts = await projectTexts(db(), own.projectId, 'es');
    const guide = translateGuide(await guideOf(db(), own.projectId, stageId), own.schema, texts);
    expect(guide.general).toMatchObject({
      short: 'Dibuja.',
      full: 'Draw all of it.',
      languages: { short: 'es', full: 'en' },
    });
    for (const { name, short, languages } of guide.targets) {
      expect(name).toMatch(/^es /);
      expect([short.startsWith('es '), languages.short]).toEqual(
        short.startsWith('es ') ? [true, 'es'] : [false, 'en'],
      );
    }
    expect(texts.coverage).toBe('some');
  });

  it('is translated as a whole when every text of the project is', async () => {
    const own = await workshop(db());
    for (const area of ['project', 'guide', 'schema']) await writeAll(area, 'fr', own);
    const texts = await projectTexts(db(), own.projectId, 'fr');
    for (const stageId of Object.values(own.stages))
      translateGuide(await guideOf(db(), own.projectId, stageId), own.schema, texts);
    expect(texts.coverage).toBe('all');
    const { languages } = await translationProgress(db(), own.projectId);
    const french = languages.find(({ language }) => language === 'fr');
    expect(french?.progress).toMatchObject({ outdated: 0, missing: 10 });
  });
});

describe('the consent text', () => {
  const toSpanish = async (own: Workshop) => {
    await writeAll('consent', 'es', own);
    return translateConsent(
      (await newestText(db(), own.projectId)).document,
      await projectTexts(db(), own.projectId, 'es'),
    );
  };

  it('is translated as a whole or not at all', async () => {
    const own = await workshop(db());
    await write(textKeys.consent('purpose'), 'Para qué', 'es', own);
    const texts = await projectTexts(db(), own.projectId, 'es');
    const { document } = await newestText(db(), own.projectId);
    expect(translateConsent(document, texts)).toEqual({ document, language: 'en', translationIds: [] });
    const shown = await toSpanish(own);
    expect(shown.language).toBe('es');
    expect(shown.document.risks).toMatch(/^es /);
    expect(shown.translationIds).toHaveLength(10);
  });

  it('that was read is recorded with its language and the very translations', async () => {
    const own = await workshop(db());
    const wanda = await worker(db(), own);
    await withdraw(db(), wanda, { projectId: own.projectId });
    const { language, translationIds } = await toSpanish(own);
    const { id: textId } = await newestText(db(), own.projectId);
    const input = { projectId: own.projectId, textId, isAdult: true };
    await agree(db(), wanda, { ...input, shown: { language, translationIds } });
    const [entry] = await consentHistory(db(), { workerId: wanda.userId, projectId: own.projectId });
    expect(entry).toMatchObject({ kind: 'agreed', language: 'es' });
    const [row] = await db()
      .select()
      .from(tables.consents)
      .where(eq(tables.consents.id, entry?.id as string));
    expect(row?.translationIds).toEqual(translationIds);
    const rule = (await checkRules(db())).find(({ name }) => name === 'consent was read in a stored text');
    expect(rule?.violations).toBe(0);
  });

  it('is not agreed to in a translation that changed or never was', async () => {
    const own = await workshop(db());
    const wanda = await worker(db(), own);
    await withdraw(db(), wanda, { projectId: own.projectId });
    const { language, translationIds } = await toSpanish(own);
    const { id: textId } = await newestText(db(), own.projectId);
    const input = { projectId: own.projectId, textId, isAdult: true };
    await write(textKeys.consent('risks'), 'Algunas imágenes muestran sangre.', 'es', own);
    for (const shown of [
      { language, translationIds },
      { language: 'fr', translationIds },
      { language: 'fr', translationIds: [] },
      { language: 'es', translationIds: [] },
    ])
      expect(await errorOf(agree(db(), wanda, { ...input, shown }))).toBe('conflict');
    expect((await consentHistory(db(), { workerId: wanda.userId }))[0]?.kind).toBe('withdrawn');
  });

  it('of a new number is shown in the original until every changed part is translated', async () => {
    const own = await workshop(db());
    await toSpanish(own);
    const { document } = await newestText(db(), own.projectId);
    await publishText(db(), tests, { projectId: own.projectId, document: { ...document, risks: 'Blood.' } });
    const texts = () => projectTexts(db(), own.projectId, 'es');
    const next = (await newestText(db(), own.projectId)).document;
    expect(translateConsent(next, await texts()).language).toBe('en');
    expect(await entryOf(textKeys.consent('risks'), 'es', own)).toMatchObject({ state: 'outdated' });
    expect(await entryOf(textKeys.consent('purpose'), 'es', own)).toMatchObject({ state: 'translated' });
    await write(textKeys.consent('risks'), 'Sangre.', 'es', own);
    expect(translateConsent(next, await texts()).document.risks).toBe('Sangre.');
  });

  it('is read and agreed to through the API in the language of the worker', async () => {
    const own = await workshop(db());
    const wanda = await worker(db(), own);
    await withdraw(db(), wanda, { projectId: own.projectId });
    await toSpanish(own);
    const headers = await browserOf(wanda.email);
    const params = { project: own.slug };
    const { json } = await call(getConsent, { headers, params, query: '?language=es' });
    expect(json.text).toMatchObject({ language: 'es' });
    const { id: textId, language, translationIds } = json.text;
    const body = { textId, isAdult: true, shown: { language, translationIds } };
    expect((await call(giveConsent, { headers, params, body })).json.state).toBe('agreed');
    const french = await call(getConsent, { headers, params, query: '?language=fr' });
    expect(french.json.text).toMatchObject({ language: 'en', translationIds: [] });
  });
});

describe('a batch', () => {
  it('has names and definitions in the language of the worker, and ids as they were', async () => {
    const own = await workshop(db());
    await ask(db(), own, 'part-mask', 1);
    const wanda = await worker(db(), own);
    const { id } = await take(db(), wanda, own.stages['part-mask']);
    await writeAll('schema', 'es', own);
    await writeAll('project', 'es', own);
    const headers = await browserOf(wanda.email);
    const get = async (language?: string) =>
      (
        await call(getBatchByApi, {
          headers,
          params: { batch: id },
          query: language ? `?language=${language}` : '',
        })
      ).json;
    const [original, spanish, french] = [await get(), await get('es'), await get('fr')];
    expect(spanish.items[0].target).toMatchObject({
      id: original.items[0].target.id,
      name: `es ${original.items[0].target.name}`,
    });
    expect(spanish.stage.name).toBe(`es ${original.stage.name}`);
    expect(spanish.texts).toEqual({ original: 'en', coverage: 'all' });
    expect(french.texts).toEqual({ original: 'en', coverage: 'none' });
    expect({ ...french, texts: null, items: null }).toEqual({ ...original, texts: null, items: null });
  });

  it('and lists show the names of projects and stages', async () => {
    const own = await workshop(db());
    await writeAll('project', 'es', own);
    const names = await projectNames(db(), [own.projectId, shop.projectId], 'es');
    expect(names.project(own.projectId, 'Birds')).toBe('es Birds');
    expect(names.project(own.projectId, 'Fish')).toBe('Fish');
    expect(names.stage(shop.projectId, own.stages.attributes, 'Describe')).toBe('Describe');
  });
});
