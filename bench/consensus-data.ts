import { eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { area, encodeCounts } from '@/lib/core/mask';
import { rival10 } from '@/lib/core/schema/presets';
import type { Skill } from '@/lib/demo/hand';
import { answerAs, type DemoStage } from '@/lib/demo/past-work';
import { createRng, generateScene, type Rng } from '@/lib/demo/scenes';
import { systemActor } from '@/lib/services/access';
import { createProject } from '@/lib/services/projects';

const SIDE = 256;
/** Pictures that are really drawn; the items take turns with them. */
const SCENES = 200;

const objects: DemoStage = { id: 'objects', kind: 'object-mask' };

type Drawn = { n: number; who: number; mask: string; area: number };

/** Drawings of the same objects by different hands. */
function drawings(overlap: number): Drawn[] {
  const random = createRng(1);
  const crowd = crowdOf(40);
  return Array.from({ length: SCENES }, (_, n) => n).flatMap((n) => {
    const scene = generateScene({ preset: 'rival10', width: SIDE, height: SIDE, seed: n });
    const item = { id: `${n}`, image: { id: `${n}`, scene }, target: '' };
    return draw(crowd, overlap, random).flatMap(({ id, skill }, who): Drawn[] => {
      const worker = { key: id, name: id, email: id, skill, secondsPerItem: 30 };
      const { mask } = answerAs(worker, objects, item, rival10, random);
      return mask ? [{ n, who, mask: encodeCounts(mask), area: area(mask) }] : [];
    });
  });
}

/** A project with so many settled object masks, each answered so many times, labelled with the first answer. */
export async function fill(db: Database, size: number, overlap: number) {
  const project = await createProject(db, systemActor('bench'), {
    name: 'Bench',
    slug: 'bench',
    preset: 'rival10',
  });
  const stages = await db.select().from(tables.stages).where(eq(tables.stages.projectId, project.id));
  const stageId = stages.find(({ kind }) => kind === 'object-mask')?.id as string;
  const drawn = drawings(overlap);
  await db.execute(sql`create table drawn (n int, who int, mask text, area int)`);
  await db.execute(sql`
    insert into drawn select * from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb)
      as d(n int, who int, mask text, area int)`);
  await db.execute(sql`
    insert into blobs (sha256, bytes, media_type) values (repeat('0', 64), 1, 'image/png')`);
  await db.execute(sql`
    insert into images (id, project_id, name, width, height, source_sha256, blob, perceptual_hash)
    select uuidv7(), ${project.id}, n::text, ${SIDE}, ${SIDE}, n::text, repeat('0', 64), n
    from generate_series(0, ${size - 1}::int) n`);
  await db.execute(sql`
    insert into items (id, project_id, stage_id, image_id, schema_version_id, state, overlap, answered)
    select uuidv7(), ${project.id}, ${stageId}, id, ${project.schemaVersionId}, 'settled', ${overlap}, ${overlap}
    from images order by perceptual_hash`);
  await db.execute(sql`
    insert into users (id, name, email) select uuidv7(), w::text, w || '@example.org'
    from generate_series(0, ${overlap - 1}::int) w`);
  await db.execute(sql`
    insert into batches (id, project_id, stage_id, worker_id, state, leased_until, submitted_at)
    select uuidv7(), ${project.id}, ${stageId}, id, 'submitted', now(), now() from users where name ~ '^\\d+$'`);
  await db.execute(sql`
    insert into leases (id, batch_id, item_id, worker_id, position, state)
    select uuidv7(), b.id, i.id, b.worker_id, image.perceptual_hash, 'answered'
    from items i join images image on image.id = i.image_id cross join batches b`);
  await db.execute(sql`
    insert into answers (id, lease_id, item_id, worker_id, value, mask, area, active_ms)
    select uuidv7(), l.id, l.item_id, l.worker_id, '{"kind":"mask"}', d.mask, d.area, 1000
    from leases l join users u on u.id = l.worker_id
    join drawn d on d.n = l.position % ${SCENES} and d.who = u.name::int`);
  await db.execute(sql`
    insert into labels (id, project_id, item_id, image_id, value, mask, area, source, provenance, confidence)
    select uuidv7(), ${project.id}, i.id, i.image_id, a.value, a.mask, a.area, 'answer', '{}', 0.9
    from items i join answers a on a.item_id = i.id join users u on u.id = a.worker_id and u.name = '0'`);
  await db.execute(sql`vacuum analyze`);
  return { projectId: project.id, stageId };
}

/** A worker by what they are like, and how many of a hundred are like that. */
type Kind = { name: string; share: number; skill: Skill };

const kinds: Kind[] = [
  { name: 'careful', share: 40, skill: { recall: 0.95, specificity: 0.98, wobble: 0.02, careless: 0 } },
  { name: 'average', share: 35, skill: { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.04 } },
  { name: 'sloppy', share: 15, skill: { recall: 0.7, specificity: 0.88, wobble: 0.1, careless: 0.25 } },
  { name: 'spammer', share: 10, skill: { recall: 0.3, specificity: 0.7, wobble: 0.3, careless: 1 } },
];

export type CrowdWorker = { id: string; skill: Skill };

export function crowdOf(size: number): CrowdWorker[] {
  return kinds.flatMap(({ name, share, skill }) =>
    Array.from({ length: Math.round((size * share) / 100) }, (_, n) => ({ id: `${name} ${n}`, skill })),
  );
}

/** So many different workers. */
export function draw(crowd: readonly CrowdWorker[], count: number, random: Rng): CrowdWorker[] {
  const left = [...crowd];
  return Array.from(
    { length: count },
    () => left.splice(random.integer(0, left.length - 1), 1)[0] as CrowdWorker,
  );
}
