import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { eq, sql } from 'drizzle-orm';
import { connect, newId, tables } from '@/db';
import { projectStates } from '@/db/schema';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';
import { systemActor } from '@/lib/core/actor';
import { demoPeople } from '@/lib/demo/people';
import { saveGuide } from '@/lib/services/crowd/guide';
import { saveSchema } from '@/lib/services/projects/schema/save-schema';
import { pageRows } from '../services/access/page-table';
import { callers, hasRight, isOpen } from '../services/access/policy-table';
import { oneOfEach, type World } from '../support/one-of-each';
import { databaseUrl, home } from './support/database';
import { stranger } from './support/invite';
import { signIn, type Who } from './support/people';
import { expect, isAwake, test } from './support/story';

/** Runs in whatever context it is let into: as markup, in an attribute, as an address, as Markdown. */
const attempt =
  '"\'><img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script><svg onload="window.wasRun=1">';
const inMarkdown = `${attempt}\n\n[link](javascript:window.wasRun=1) ![p](x"onerror="window.wasRun=1)\n\n<iframe srcdoc="<script>parent.wasRun=1</script>"></iframe>`;

/** Texts that one person enters and another sees, wherever they are kept; those that cannot be changed are made anew. */
const columns: Record<string, readonly string[]> = {
  projects: ['name', 'description'],
  images: ['name', 'class_name', 'group_key'],
  models: ['name'],
  runs: ['name', 'study'],
  slices: ['name'],
  saved_filters: ['name'],
  jobs: ['title', 'text'],
  recruitments: ['cohort'],
  invitations: ['cohort'],
  memberships: ['cohort'],
  payouts: ['note'],
  audits: ['seed'],
};

const routes = readdirSync(path.join(projectFolder, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${file.replace(/\/?page\.tsx$/, '').replace(/\([a-z]+\)\/?/g, '')}`)
  .filter((route) => route.includes('['));

const addressOf = (route: string, { slug, ids }: World) =>
  route.replace(/\[(\w+)\]/g, (_, name: string) =>
    name === 'project' ? slug : name === 'version' ? '1' : (ids[name] ?? newId()),
  );

let db: ReturnType<typeof connect>;
let world: World;

test.beforeAll(async () => {
  process.env.TESSERA_HOME = home;
  process.env.TESSERA_SECRET = readSecrets(home)?.secret;
  db = connect(databaseUrl() ?? '');
  world = await oneOfEach(db, 'Mallory', attempt);
});

test.afterAll(() => db.$client.end());

async function enterEverywhere({ ids, shop, member }: World): Promise<void> {
  const projectId = shop.projectId;
  const author = systemActor('Mallory');
  for (const [table, names] of Object.entries(columns))
    for (const name of names)
      await db.execute(
        sql`update ${sql.identifier(table)} set ${sql.identifier(name)} = ${attempt}
            where ${sql.identifier(table === 'projects' ? 'id' : 'project_id')} = ${projectId}`,
      );
  // Each stage has a name of its own.
  await db.execute(sql`update stages set name = ${attempt} || position where project_id = ${projectId}`);
  await db.execute(
    sql`update images set notes = ${sql.param([attempt])}::text[], columns = ${JSON.stringify({ [attempt]: attempt })}::jsonb
        where project_id = ${projectId}`,
  );
  await db.execute(
    sql`update users set name = ${attempt.slice(0, 100)} where id in (${member.userId}, ${ids.worker})`,
  );
  await db.insert(tables.jobLogs).values({ jobId: ids.job as string, level: 'error', text: attempt });
  await db
    .insert(tables.uploadFiles)
    .values({ uploadId: ids.upload as string, name: attempt, state: 'refused', reason: attempt });
  await db.insert(tables.messages).values({
    id: newId(),
    projectId,
    leaseId: ids.lease,
    authorId: member.userId,
    kind: 'comment',
    text: attempt,
  });
  await db.insert(tables.versionNotes).values({ versionId: ids.version as string, text: attempt });
  for (const stageId of Object.values(shop.stages))
    await saveGuide(db, author, {
      projectId,
      stageId,
      target: '',
      text: { short: inMarkdown, full: inMarkdown, examples: [] },
    });
  const named = <T extends { name: string }>(list: readonly T[]) =>
    list.map((each) => ({ ...each, name: attempt.slice(0, 70) + each.name.slice(0, 8) }));
  const { schema } = shop;
  const document = { ...schema, classes: named(schema.classes), attributes: named(schema.attributes) };
  await saveSchema(db, author, { projectId, from: 1, document, askAgain: false }).catch((error: Error) => {
    // A schema may refuse such a name; then nobody can be shown it.
    expect(error.message).toMatch(/schema|name/i);
  });
}

/** Nothing of what was entered has become anything but text. */
async function expectInert(page: Page, address: string): Promise<void> {
  const seen = await page.evaluate(() => ({
    wasRun: 'wasRun' in window,
    violations: (window as unknown as { violations?: string[] }).violations ?? [],
    planted: document.querySelectorAll(
      'img[src="x"], img[onerror], svg[onload], iframe, [href^="javascript:"], script:not([nonce]):not([src]):not([type="application/json"])',
    ).length,
  }));
  expect(seen, address).toEqual({ wasRun: false, violations: [], planted: 0 });
}

async function watch(page: Page): Promise<string[]> {
  const alarms: string[] = [];
  page.on('dialog', (dialog) => {
    alarms.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => alarms.push(String(error)));
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener(
      'securitypolicyviolation',
      (event) =>
        // zod asks whether it may compile its schemas, and goes without.
        event.blockedURI === 'eval' ||
        violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  return alarms;
}

/** Several at a time, each as soon as one before it is done. */
async function atOnce<T>(list: readonly T[], hands: readonly ((each: T) => Promise<void>)[]): Promise<void> {
  const left = list.values();
  await Promise.all(
    hands.map(async (work) => {
      for (const each of left) await work(each);
    }),
  );
}

test('a member of another project finds none of the pages of this one', async ({ page }) => {
  test.setTimeout(240_000);
  await signIn(page, 'researcher');
  const ask = async (route: string) => {
    const there = await page.request.get(addressOf(route, world));
    const missing = await page.request.get(addressOf(route, { ...world, slug: 'no-such-project', ids: {} }));
    // The annotator is a frame that asks the API for the batch: the same frame, whatever the id.
    const status = route.endsWith('/batch/[batch]') ? 200 : 404;
    expect([route, missing.status()]).toEqual([route, status]);
    expect([route, there.status()]).toEqual([route, status]);
  };
  const asked = routes.filter((route) => /\[project\]|\[job\]|\[batch\]/.test(route));
  await atOnce(asked, [ask, ask, ask]);
});

test('every page of a project opens to the roles and in the states of the table, and to nobody else', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const ours = await oneOfEach(db, 'Paula');
  const projectId = ours.shop.projectId;
  const table = pageRows.map(({ page }) => page);
  expect(table.sort()).toEqual(routes.filter((route) => /\[(project|job)\]/.test(route)).sort());
  const open = await Promise.all(
    callers.map(async (caller) => {
      const who: Who = caller === 'worker' ? 'worker1' : caller === 'stranger' ? 'worker2' : caller;
      const page = await stranger(browser);
      await signIn(page, who);
      if (caller !== 'stranger' && caller !== 'admin')
        await db.execute(
          sql`insert into memberships (project_id, user_id, role)
              select ${projectId}, id, ${caller} from users where email = ${demoPeople[who].email}`,
        );
      return [caller, page] as const;
    }),
  );
  const found: string[] = [];
  const wanted: string[] = [];
  for (const state of projectStates) {
    await db.update(tables.projects).set({ state }).where(eq(tables.projects.id, projectId));
    const questions = open.flatMap(([caller, { request }]) =>
      pageRows.flatMap(({ page, row, needsMore }) => {
        // Who has the right is asked in one state; the others of one who has it, as far as they can make a difference.
        const isFirst = callers.find((each) => hasRight(row, each)) === caller;
        const differs = state === 'archived' || projectStates.some((each) => !isOpen(row, each));
        const asks = state === 'collecting' || (isFirst && differs);
        const isThere = hasRight(row, caller) && !needsMore;
        const answer = isThere ? (isOpen(row, state) ? '200' : '200 elsewhere') : '404';
        return asks
          ? [{ name: `${state} ${caller} ${page}:`, address: addressOf(page, ours), request, answer }]
          : [];
      }),
    );
    type Question = (typeof questions)[number];
    const ask = async ({ name, address, request, answer }: Question) => {
      const reply = await request.get(address);
      const stays = new URL(reply.url()).pathname === encodeURI(address);
      found.push(`${name} ${reply.status()}${stays ? '' : ' elsewhere'}`);
      wanted.push(`${name} ${answer}`);
    };
    await atOnce(questions, [ask, ask, ask]);
  }
  expect(found).toEqual(wanted);
  await Promise.all(open.map(([, page]) => page.context().close()));
});

test('markup that people enter is text for everybody who sees it', async ({ page, context }) => {
  test.setTimeout(600_000);
  await enterEverywhere(world);
  const [curator] = (
    await db.execute<{ id: string }>(sql`select id from users where email = ${demoPeople.curator.email}`)
  ).rows;
  await db.insert(tables.memberships).values(
    (['curator', 'researcher', 'worker'] as const).map((role) => ({
      projectId: world.shop.projectId,
      userId: curator?.id ?? '',
      role,
    })),
  );
  const tabs = [page, await context.newPage()];
  const alarms = await Promise.all(tabs.map(watch));
  await signIn(page, 'curator');
  const addresses = [
    ...routes.filter((route) => !route.includes('[token]')).map((route) => addressOf(route, world)),
    '/projects',
    '/jobs',
    '/annotate',
  ];
  let shown = 0;
  const looks = tabs.map((tab) => async (address: string) => {
    await tab.goto(address, { waitUntil: 'load' });
    // What the browser draws is there as well.
    await isAwake(tab);
    await expectInert(tab, address);
    if ((await tab.getByText('window.wasRun').count()) > 0) shown += 1;
  });
  await atOnce(addresses, looks);
  // The attempts were really there to be seen.
  expect(shown).toBeGreaterThan(25);
  expect(alarms.flat()).toEqual([]);
});
