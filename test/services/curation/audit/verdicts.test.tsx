import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { auditApi } from '@/app/(console)/projects/[project]/audit/_viewer/audit-api';
import { LabelStore } from '@/app/(console)/projects/[project]/audit/_viewer/label-store';
import { useVerdicts, type Verdicts } from '@/app/(console)/projects/[project]/audit/_viewer/use-verdicts';
import { auditQueue, decideLabel, decideLabels, undoLabelDecision } from '@/app/api/v1/audit';
import { newId } from '@/db';
import { call, withKey } from '../../../app/api/call';
import { useDatabase } from '../../../support/database';
import { keyOf } from '../../access/people';
import { ask, doBatch, square, worker } from '../../crowd/workshop';
import { audited, rateAll } from './rated';

const db = useDatabase();
afterEach(() => vi.unstubAllGlobals());

/** The page of a curator whose requests reach the real endpoints, while the line is up. */
async function desk() {
  const { shop, curator } = await audited(db());
  const ann = await worker(db(), shop, 'Ann');
  await ask(db(), shop, 'object-mask', 4);
  await doBatch(db(), ann, shop.stages['object-mask'], () => square);
  await rateAll(db(), shop);
  const project = shop.slug;
  const headers = withKey(await keyOf(db(), curator, 'read', 'labels:write'));
  const line = { isUp: true };
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    if (!line.isUp) throw new TypeError('fetch failed');
    const [, label] = /labels\/(.+)\/decision$/.exec(path) ?? [];
    const [, decision] = /decisions\/(.+)\/undo$/.exec(path) ?? [];
    const entry = label ? decideLabel : decision ? undoLabelDecision : decideLabels;
    const sent = body ? JSON.parse(body as string) : undefined;
    const params = { project, label: label ?? '', decision: decision ?? '' };
    const reply = await call(entry, { params, body: sent, headers });
    return Response.json(reply.json, { status: reply.status });
  });
  const waiting = async (): Promise<string[]> => {
    const { json } = await call(auditQueue, { params: { project }, headers });
    return json.items.map((row: { labelId: string }) => row.labelId).sort();
  };
  return { line, waiting, verdicts: verdictsOf(project), labels: await waiting() };
}

function Page({ project, give }: { project: string; give: (verdicts: Verdicts) => void }) {
  const api = auditApi(project);
  give(useVerdicts(api, new LabelStore(api)));
  return null;
}

function verdictsOf(project: string): Verdicts {
  const given: Verdicts[] = [];
  renderToStaticMarkup(<Page project={project} give={(verdicts) => given.push(verdicts)} />);
  return given[0] as Verdicts;
}

describe('a curator decides about many labels', () => {
  it('and an undo before the reply takes back these, not what was decided before', async () => {
    const { labels, verdicts, waiting } = await desk();
    const [a, b, c, d] = labels as [string, string, string, string];
    await verdicts.decide(a, { verdict: 'accepted' });
    const sent = verdicts.decideMany([b, c], { verdict: 'accepted' });
    expect(await verdicts.undo()).toBe(b);
    await sent;
    expect(await waiting()).toEqual([b, c, d]);
    expect(await verdicts.undo()).toBe(a);
    expect(await waiting()).toEqual(labels);
  });

  it('and an undo that did not reach the server can be tried again', async () => {
    const { labels, line, verdicts, waiting } = await desk();
    const [a, ...others] = labels as [string, ...string[]];
    await verdicts.decideMany([a], { verdict: 'rejected', reason: 'Too coarse.' });
    line.isUp = false;
    await verdicts.undo();
    expect(await waiting()).toEqual(others);
    line.isUp = true;
    expect(await verdicts.undo()).toBe(a);
    expect(await waiting()).toEqual(labels);
  });

  it('and those beyond the first 200 are decided, too; the refused are no step of undo', async () => {
    const { labels, verdicts, waiting } = await desk();
    const [a, ...others] = labels as [string, ...string[]];
    const gone = Array.from({ length: 200 }, () => newId());
    await verdicts.decideMany([...gone, a], { verdict: 'rejected', reason: 'Too coarse.' });
    expect(await waiting()).toEqual(others);
    await verdicts.decideMany([newId()], { verdict: 'accepted' });
    expect(await verdicts.undo()).toBe(a);
    expect(await waiting()).toEqual(labels);
  });
});
