import { readdirSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { projectFolder } from '@/lib/config';
import { oneOfEach } from '../support/one-of-each';
import type { Attack } from './attack';
import type { Campaign } from './campaign';
import { hostileTexts, pick } from './hostile';

/** As far as an address can hold them. */
const clean = hostileTexts.map((text) => text.slice(0, 1500).replace(/\p{Surrogate}/gu, ''));

const names =
  'of stage a b as q sort page state class slice image tab after version with job worker next baseline model split before group score from to variant level predicted right attribute labels kind'.split(
    ' ',
  );

/** What a row that was damaged, or written by another version, may hold where pages read a document. */
const strange = [
  '{}',
  '[]',
  '"text"',
  '3',
  'null',
  '{"findings":3,"lines":null,"plots":{}}',
  '{"findings":[null,1,{"id":"clean-accuracy","value":"x"}],"lines":[{"paradigm":"attack"}],"plots":[{"id":"a","kind":"heat"}]}',
  '{"images":"many","offers":[],"left":[{}],"skipped":[7],"notes":[{}],"split":9}',
  '{"input":{"height":"a"},"outputs":[],"classes":{"0":"x"},"parts":"none","metrics":{"test":[]}}',
];

const routes = readdirSync(`${projectFolder}/app`, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file) && !file.startsWith('api/'))
  .map((file) => ({
    route: `/${file.replace(/\/?(page\.tsx|route\.ts)$/, '').replace(/\([a-z]+\)\/?/g, '')}`,
    isFile: file.endsWith('route.ts'),
  }));

/** Every page and every file that a page offers, with right names and wrong ones, over rows in order and damaged ones. */
export async function attackPages(campaign: Campaign): Promise<void> {
  const { db, chance } = campaign;
  for (let round = 0; !campaign.isOver(); round++) {
    const world = await oneOfEach(db, `P${round}`);
    const callers = await campaign.callersOf(world);
    const isWild = round % 3 !== 0;
    if (round % 3 === 2) await damage(campaign, world.ids.project as string);
    const attacks = routes.map(({ route, isFile }): Attack => {
      const path = route.replace(/\[(\w+)\]/g, (_, name: string) => {
        const good = name === 'project' ? world.slug : name === 'version' ? '1' : (world.ids[name] ?? 'x');
        return isWild && chance.below(3) === 0 ? encodeURIComponent(pick(clean, chance)) || '-' : good;
      });
      const query = new URLSearchParams();
      for (let n = 0; isWild && n < 4; n++) query.append(pick(names, chance), pick(clean, chance));
      const isForm = isFile && chance.below(4) === 0;
      return {
        method: isForm ? 'POST' : 'GET',
        path: `${path}?${query}`,
        headers: {
          accept: 'text/html',
          ...pick(callers, chance),
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: isForm ? `ids=${encodeURIComponent(pick(clean, chance))}` : undefined,
        name: `page ${route}${round % 3 === 2 ? ' (damaged rows)' : ''}`,
      };
    });
    await campaign.sendAll('pages', attacks);
    campaign.tell('pages');
  }
}

/** Rows of older releases and rows that somebody mended by hand; a contract is an object, whoever wrote it. */
async function damage({ db, chance }: Campaign, projectId: string): Promise<void> {
  const some = (all = strange) => sql.raw(`'${pick(all, chance)}'::jsonb`);
  await db.execute(
    sql`update evaluations set metrics = ${some()}, options = ${some()} where project_id = ${projectId}`,
  );
  const objects = strange.filter((text) => text.startsWith('{'));
  await db.execute(sql`update models set contract = ${some(objects)} where project_id = ${projectId}`);
}
