import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSavedFilter,
  deleteSavedFilter,
  listSavedFilters,
  renameSavedFilter,
} from '@/app/api/v1/slices';
import { scopeIds } from '@/lib/services/access';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { join, keyOf, person, project } from '../access/people';

const db = useDatabase();
const keys: Record<string, Record<string, string>> = {};
let params = { project: '' };

beforeAll(async () => {
  const birds = await project(db(), 'Birds');
  params = { project: birds.slug };
  for (const name of ['Cora', 'Rita']) {
    const who = await person(db(), name);
    await join(db(), who, birds.id, name === 'Cora' ? 'curator' : 'researcher');
    keys[name] = withKey(await keyOf(db(), who, ...scopeIds));
  }
});

describe('saved filters', () => {
  it('are saved, had again, renamed and deleted by their owner, and are nobody else’s', async () => {
    const headers = keys.Cora;
    const filter = { class: 'cat', riskFrom: 0.5 };
    const made = await call(createSavedFilter, { headers, params, body: { name: 'Risky cats', filter } });
    expect(made).toMatchObject({ status: 201, json: { name: 'Risky cats', filter } });
    const at = { ...params, filter: made.json.id };
    expect((await call(listSavedFilters, { headers: keys.Rita, params })).json.filters).toEqual([]);
    expect((await call(deleteSavedFilter, { headers: keys.Rita, params: at })).status).toBe(404);
    const renamed = { headers, params: at, body: { name: 'Cats' } };
    expect((await call(renameSavedFilter, renamed)).status).toBe(204);
    await call(createSavedFilter, { headers, params, body: { name: 'Dogs', filter: { class: 'dog' } } });
    expect((await call(renameSavedFilter, { ...renamed, body: { name: 'Dogs' } })).status).toBe(409);
    // Saved again under the same name: replaced.
    await call(createSavedFilter, { headers, params, body: { name: 'Dogs', filter: { labels: 'none' } } });
    const { json } = await call(listSavedFilters, { headers, params });
    expect(
      json.filters.map((entry: { name: string; filter: unknown }) => [entry.name, entry.filter]),
    ).toEqual([
      ['Cats', filter],
      ['Dogs', { labels: 'none' }],
    ]);
    expect((await call(deleteSavedFilter, { headers, params: at })).status).toBe(204);
  });

  it('can be replaced by one of the same name when there are as many as one may have', async () => {
    const headers = keys.Rita;
    const save = (name: string, labels: string) =>
      call(createSavedFilter, { headers, params, body: { name, filter: { labels } } });
    for (let n = 0; n < 50; n++) expect((await save(`Filter ${n}`, 'none')).status).toBe(201);
    expect((await save('One more', 'none')).status).toBe(409);
    expect((await save('Filter 7', 'some')).status).toBe(201);
  });

  it('that say nothing or what nobody understands are refused', async () => {
    const headers = keys.Cora;
    const save = (filter: unknown) =>
      call(createSavedFilter, { headers, params, body: { name: 'Odd', filter } });
    expect((await save({})).status).toBe(400);
    expect((await save({ riskFrom: 2 })).status).toBe(400);
    expect((await save({ colour: 'red' })).status).toBe(400);
  });
});
